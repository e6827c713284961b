"""Builds the Go library and the Go command into the wheel.

A wheel holds, beside the Python files,

    myriant/libmyriant.so    package cshim, built with -buildmode=c-shared
    bin/myriant              package cmd/myriant, installed as a command

The Go module is two folders up from here in a clone. A source distribution brings
it along in the folder go/, so that it can be built anywhere. Any other copy of this folder
alone cannot be built, and says so. MYRIANT_GO_MODULE names a module that lies elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULE = "module github.com/myriant-rl/myriant"
LIBRARY = "libmyriant.dylib" if sys.platform == "darwin" else "libmyriant.so"


class BuildError(SystemExit):
    """What stops a build: the reason alone, without a traceback."""

    def __init__(self, reason: str) -> None:
        super().__init__("myriant: " + reason)


class Hook(BuildHookInterface[Any]):
    """Called by hatchling for each target."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = find_module(Path(self.root))
        if self.target_name == "sdist":
            build_data["force_include"].update({str(path): f"go/{name}" for name, path in sources(root)})
            return
        if self.target_name != "wheel":
            return
        self.made = Path(tempfile.mkdtemp(prefix="myriant-build-"))
        library = self.made / LIBRARY
        command = self.made / "myriant"
        env = environment(root)
        go_build(root, env, library, "./cshim", "-buildmode=c-shared")
        about = f"-X main.version={self.metadata.version}"
        go_build(root, {**env, "CGO_ENABLED": "0"}, command, "./cmd/myriant", link=about)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag()}"
        build_data["shared_scripts"][str(command)] = "myriant"
        if version == "editable":
            shutil.copy2(library, Path(self.root) / "src" / "myriant" / LIBRARY)
        else:
            build_data["force_include"][str(library)] = f"myriant/{LIBRARY}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if made := getattr(self, "made", None):
            shutil.rmtree(made, ignore_errors=True)


def find_module(here: Path) -> Path:
    """The folder of the Go module."""
    named = os.environ.get("MYRIANT_GO_MODULE")
    for root in [Path(named)] if named else [here / "go", here.parent.parent]:
        mod = root / "go.mod"
        if mod.is_file() and mod.read_text().startswith(MODULE):
            return root
    where = named or f"{here / 'go'} and {here.parent.parent}"
    raise BuildError(
        f"the Go module is not beside this package (looked in {where}). Install from a clone with "
        "'pip install ./cshim/python', from a source distribution, or set MYRIANT_GO_MODULE to the folder of go.mod."
    )


def sources(root: Path) -> list[tuple[str, Path]]:
    """Files of the module that building needs: name in the module, path."""
    files = [root / name for name in ("go.mod", "go.sum", "LICENSE")]
    for folder in ("env", "batch", "bench", "datasets", "cshim", "cmd"):
        for path in sorted((root / folder).rglob("*")):
            parts = path.relative_to(root).parts
            wanted = path.suffix in (".go", ".h", ".s", ".json", ".map") or path.name == "signatures.txt"
            skipped = path.name.endswith("_test.go") or parts[:2] in (("cshim", "python"), ("bench", "results"))
            if path.is_file() and wanted and not skipped:
                files.append(path)
    return [(path.relative_to(root).as_posix(), path) for path in files]


def environment(root: Path) -> dict[str, str]:
    """The environment of the Go tool: with vector code where the toolchain knows it."""
    go = shutil.which("go")
    match = re.search(r"^go (\S+)$", (root / "go.mod").read_text(), re.M)
    want = match.group(1) if match else "1.26"
    if go is None:
        raise BuildError(f"Go {want} or newer builds the library, and there is no go on the PATH.")
    env = {**os.environ, "CGO_ENABLED": "1"}
    have = run([go, "env", "GOVERSION"], root, env).strip().removeprefix("go")
    if numbers(have) < numbers(want):
        raise BuildError(f"Go {want} or newer builds the library; {go} is {have}.")
    compiler = run([go, "env", "CC"], root, env).split()[0]
    if shutil.which(compiler) is None:
        raise BuildError(f"a C compiler builds the library, and there is no {compiler} on the PATH (CC names another).")
    if "GOEXPERIMENT" not in env:
        simd = {**env, "GOEXPERIMENT": "simd"}
        if subprocess.run([go, "list", "simd/archsimd"], cwd=root, env=simd, capture_output=True).returncode == 0:
            env = simd
    return env


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def run(command: list[str], cwd: Path, env: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def go_build(root: Path, env: dict[str, str], out: Path, package: str, *flags: str, link: str = "") -> None:
    """Builds a package: trimmed, without symbols and paths of this machine; link is more for the linker."""
    linker = f"-s -w {link}"
    if "-buildmode=c-shared" in flags and sys.platform != "darwin":
        # The Go runtime in a library cannot be unloaded, and its symbols are nobody's business.
        exports = out.with_name("exports.map")
        shutil.copy2(root / "cshim" / "exports.map", exports)
        linker += f" '-extldflags=-Wl,-z,nodelete -Wl,--version-script={exports}'"
    run(["go", "build", *flags, "-trimpath", "-buildvcs=false", "-ldflags", linker, "-o", str(out), package], root, env)


def platform_tag() -> str:
    """The wheel's platform: this machine's."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
