"""What can be played."""

from service.rules import GAMES
from tests.api.client import House


def test_all_variants_with_tables_and_options(house: House) -> None:
    said = house.anyone.ok("GET", "/v1/variants")
    variants = [variant for rules in GAMES.values() for variant in rules.VARIANTS.values()]
    assert [item["name"] for item in said["items"]] == [variant.name for variant in variants]
    assert "novice" in said["levels"]
    for item, variant in zip(said["items"], variants, strict=True):
        assert tuple(table["seats"] for table in item["tables"]) == variant.seats
        for table in item["tables"]:
            for option in table["options"].values():
                assert option["default"] in option["allowed"]


def test_one_variant_with_parameters_and_pack(house: House) -> None:
    said = house.anyone.ok("GET", "/v1/variants/bolivia")
    assert (said["game"], len(said["pack"])) == ("canasta", 162)
    assert said["parameters"]["canasta_bonus"]["wild"] == 2500
    house.anyone.refused(404, "not_found", "GET", "/v1/variants/poker")


def test_the_contract_is_served(house: House) -> None:
    answer = house.anyone.get("/openapi.yaml")
    assert answer.mimetype == "application/yaml"
    assert answer.get_data(as_text=True).startswith("openapi: 3.1.0")
    again = house.anyone.get("/openapi.yaml", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_no_query_parameter_is_passed_over(house: House) -> None:
    for path in ("/v1/variants", "/v1/variants/samba", "/v1/variants/samba/rules/T.1"):
        house.anyone.refused(422, "invalid", "GET", f"{path}?size=2")
