"""Makes the template of the catalogues anew, and brings the catalogues up to it."""

from tests.languages.template import main

if __name__ == "__main__":
    main()
