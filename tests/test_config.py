"""The environment is read once, strictly, and every refusal names its variable in one line."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.config import DATA, LOCAL_REDIS, Config, ConfigError
from service.levels import Budgets, Pauses
from service.queue import LEVELS
from service.rates import USUAL, Rate


def test_nothing_set_gives_what_the_class_says() -> None:
    assert Config.from_env({}) == Config()
    assert Config().embedded
    assert Config().data == DATA


def test_an_empty_variable_counts_as_not_set() -> None:
    assert Config.from_env({"PORT": "", "TAPETE_REDIS_URL": "  "}) == Config()


def test_the_queue_is_on_the_games_server_unless_told() -> None:
    games = "redis://games:6379/1"
    config = Config.from_env({"TAPETE_REDIS_URL": games})
    assert (config.redis_url, config.queue_url, config.embedded) == (games, games, False)
    config = Config.from_env({"TAPETE_QUEUE_URL": "unix:///tmp/jobs.sock"})
    assert (config.redis_url, config.queue_url) == (LOCAL_REDIS, "unix:///tmp/jobs.sock")
    assert config.embedded


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "-1"),
        ("PORT", "65536"),
        ("PORT", "8_080"),
        ("PORT", "+80"),
        ("PORT", "٨٠"),
        ("PORT", "9" * 5000),
        ("TAPETE_BODY_LIMIT", "0"),
        ("TAPETE_API_WORKERS", "0"),
        ("TAPETE_WORKERS", "1.5"),
        ("TAPETE_CACHE_SIZE", "many"),
        ("TAPETE_RATES", "moves"),
        ("TAPETE_RATES", "moves=10"),
        ("TAPETE_RATES", "moves=0/10"),
        ("TAPETE_RATES", "moves=10/0"),
        ("TAPETE_RATES", "moves=10/86401"),
        ("TAPETE_RATES", "moves=-1/10"),
        ("TAPETE_RATES", "moves=10/1.5"),
        ("TAPETE_RATES", "naps=10/10"),
        ("TAPETE_RATES", "moves=10/10,reads=10/10"),
        ("TAPETE_RATES", "moves=10/10 off"),
        ("TAPETE_WEBHOOK_WORKERS", "-1"),
        ("TAPETE_WEBHOOK_WORKERS", "17"),
        ("TAPETE_WEBHOOK_NETWORKS", "10.0.0.1/8"),
        ("TAPETE_WEBHOOK_NETWORKS", "10.0.0.0/8,all"),
        ("TAPETE_WEBHOOK_NETWORKS", "intranet"),
        ("TAPETE_SWEEP_SECONDS", "0"),
        ("TAPETE_SWEEP_SECONDS", "nan"),
        ("TAPETE_LOST_TURN_SECONDS", "inf"),
        ("TAPETE_COLD_AFTER", "-1"),
        ("TAPETE_METRICS", "yes"),
        ("TAPETE_METRICS", "a token with spaces in it"),
        ("TAPETE_ABANDON_AFTER", "0"),
        ("TAPETE_OPEN_GAMES", "0"),
        ("TAPETE_AI_PACE", "-0.1"),
        ("TAPETE_AI_BUDGET_MS", "1000"),
        ("TAPETE_AI_BUDGET_MS", "master"),
        ("TAPETE_AI_BUDGET_MS", "master=0"),
        ("TAPETE_AI_BUDGET_MS", "master=60001"),
        ("TAPETE_AI_BUDGET_MS", "master=1.5"),
        ("TAPETE_AI_BUDGET_MS", "master=٨٠"),
        ("TAPETE_AI_BUDGET_MS", "expert=100"),
        ("TAPETE_AI_BUDGET_MS", "club=100,club=200"),
        ("TAPETE_AI_BUDGET_MS", "club=100 master=200"),
        ("TAPETE_AI_PAUSE", "2"),
        ("TAPETE_AI_PAUSE", "master=2-1"),
        ("TAPETE_AI_PAUSE", "master=-1"),
        ("TAPETE_AI_PAUSE", "master=3601"),
        ("TAPETE_AI_PAUSE", "master=nan"),
        ("TAPETE_AI_PAUSE", "_fields=1"),
        ("TAPETE_REDIS_URL", "localhost:6379"),
        ("TAPETE_REDIS_URL", "http://localhost"),
        ("TAPETE_REDIS_URL", "redis://"),
        ("TAPETE_REDIS_URL", "unix://"),
        ("TAPETE_REDIS_URL", "redis://localhost:port"),
        ("TAPETE_REDIS_URL", "redis://[::1"),
        ("TAPETE_QUEUE_URL", "amqp://localhost"),
        ("TAPETE_PUBLIC_URL", "ftp://cards.example"),
        ("TAPETE_DATA", "~nobody-has-this-name/data"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(name: str, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_env({name: value})
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)


def test_passwords_are_not_repeated() -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_env({"TAPETE_REDIS_URL": "http://:secret@host"})
    assert "secret" not in str(caught.value)
    url = "redis://:secret@host"
    assert "secret" not in repr(Config.from_env({"TAPETE_REDIS_URL": url}))


def test_it_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Config().port = 1  # type: ignore[misc]


@given(
    st.builds(
        Config,
        redis_url=st.sampled_from(["redis://a:1/0", "unix:///a%20b.sock", "rediss://:p@h:2"]),
        queue_url=st.sampled_from(["redis://b", "unix:///b.sock"]),
        embedded=st.just(False),
        replicas=st.integers(0, 16),
        port=st.integers(0, 65_535),
        data=st.just(Path("/data")),
        public_url=st.sampled_from([None, "https://cards.example"]),
        body_limit=st.integers(1024, 2**30),
        rates=st.sampled_from([(), USUAL, USUAL[:1], (Rate("makes", 7, 86_400),)]),
        cache_size=st.integers(0, 10**7),
        api_workers=st.integers(1, 256),
        workers=st.integers(0, 256),
        sweep_seconds=st.floats(0.05, 86_400),
        lost_turn_seconds=st.floats(0.05, 86_400),
        metrics=st.sampled_from(["off", "on", "0123456789abcdef"]),
        open_games=st.integers(1, 10**6),
        cold_after=st.integers(0, 10**9),
        abandon_after=st.integers(1, 10**9),
        ai_pace=st.floats(0, 86_400),
        ai_budgets=st.sampled_from([Budgets(), Budgets(club=1, master=60_000)]),
        ai_pauses=st.sampled_from([Pauses(), Pauses(novice=(1e-05, 3600.0), master=(1.5, 2.0))]),
    )
)
def test_a_child_reads_what_its_parent_has(config: Config) -> None:
    assert Config.from_env(config.to_env()) == config


def test_budgets_and_pauses_are_those_of_their_levels() -> None:
    config = Config.from_env(
        {"TAPETE_AI_BUDGET_MS": " master=250, club=80 ", "TAPETE_AI_PAUSE": "club=0.5-1.5,master=2"}
    )
    asked = {level: config.ai_budgets.seconds(level) for level in Budgets._fields}
    assert asked == {"novice": 0.05, "casual": 0.05, "club": 0.08, "master": 0.25}
    assert config.ai_budgets.seconds("gone") == 0.05
    assert config.ai_pauses.of("club") == (0.5, 1.5)
    assert config.ai_pauses.of("master") == (2.0, 2.0)
    assert config.ai_pauses.of("novice") == config.ai_pauses.of("gone") == (0.0, 0.0)


def test_every_level_has_a_budget_and_may_have_a_pause() -> None:
    assert set(LEVELS) <= set(Budgets._fields)
    assert Budgets._fields == Pauses._fields
    assert Budgets() == tuple(sorted(Budgets()))


def test_the_readme_lists_every_setting() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    missing = [name for name in Config(embedded=False).to_env() if f"`{name}`" not in readme]
    assert missing == []
