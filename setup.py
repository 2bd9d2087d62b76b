"""Compiles the search core if there is a C compiler; all else stands in pyproject.toml.

Without one, or without Python's headers, wheels are pure and everything runs the same, slower.
"""

import os
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.dist import Distribution

sys.path.insert(0, "workers/strategies")
from compiled import CORES

FOLDER = "workers/strategies"

BUILDING = {"build", "build_ext", "bdist_wheel", "editable_wheel", "install"}
"""Those commands want extensions; others only ask what the project is."""


def compiles() -> bool:
    """Whether an extension can be built here: one that does nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "nothing.c")
        source.write_text("#include <Python.h>\nPyObject *PyInit_nothing(void) { return 0; }\n")
        build = Distribution(
            {"ext_modules": [Extension("nothing", [str(source)])]}
        ).get_command_obj("build_ext")
        build.build_lib = build.build_temp = folder
        try:
            build.ensure_finalized()
            build.run()
        except Exception as why:  # each compiler fails in its own way
            print(why, file=sys.stderr)
            return False
    return True


def extensions() -> list[Extension]:
    """Each core as one library, with a small module for each of its own."""
    if not BUILDING & set(sys.argv):
        return []
    if not compiles():
        print(
            "no C compiler, or no headers of Python: the search core stays plain", file=sys.stderr
        )
        return []
    from mypyc.build import mypycify

    # Types of other modules need not be known here.
    options = ["--follow-imports=skip", "--ignore-missing-imports", "--config-file="]
    built = []
    for core, names in CORES.items():
        paths = [f"{FOLDER}/{core}/{name}.py" for name in names]
        group = f"{FOLDER}/{core}/fast".replace("/", ".")
        built += mypycify([*options, *paths], opt_level="3", group_name=group)
    for extension in built:
        if os.name == "posix":
            # Else each call within the library could be anybody's, and none is put in line.
            extension.extra_compile_args.append("-fno-semantic-interposition")
    return list(built)


setup(ext_modules=extensions())
