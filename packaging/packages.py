#!/usr/bin/env python3
"""Creates the packages of a release from compiled programs: see `packages.py --help`.

The same program gives the same bytes. Name, version, description, and other fields come from Cargo.toml. Requires only Python 3.8,
its standard library, and `dpkg-deb`.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# For each target: npm's system and processor, the platform of wheels, and Debian's architecture, if it is supported. `{glibc}` is
# the oldest compatible version. A program with musl is static, so it needs no glibc.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("linux-x64", "manylinux_{glibc}_x86_64", "amd64"),
    "aarch64-unknown-linux-gnu": ("linux-arm64", "manylinux_{glibc}_aarch64", "arm64"),
    "x86_64-unknown-linux-musl": ("linux-x64-musl", "musllinux_1_1_x86_64", None),
    "aarch64-unknown-linux-musl": ("linux-arm64-musl", "musllinux_1_1_aarch64", None),
    "x86_64-apple-darwin": ("darwin-x64", "macosx_10_12_x86_64", None),
    "aarch64-apple-darwin": ("darwin-arm64", "macosx_11_0_arm64", None),
}

# Directories for completions in .deb packages, by shell.
DEBIAN_COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/stepkin",
    "zsh": "usr/share/zsh/vendor-completions/_stepkin",
    "fish": "usr/share/fish/vendor_completions.d/stepkin.fish",
}
COMPLETIONS = {"bash": "stepkin.bash", "zsh": "_stepkin", "fish": "stepkin.fish"}


class Refused(Exception):
    """A problem that prevents building packages, as a sentence for the terminal."""


def run(*command, **options):
    """Returns the output of a program."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, **options).stdout


def crate():
    """Returns the package in Cargo.toml from `cargo metadata`."""
    metadata = json.loads(run("cargo", "metadata", "--no-deps", "--format-version", "1", "--locked"))
    return next(package for package in metadata["packages"] if package["name"] == "stepkin")


def moment():
    """Returns the time of the commit in seconds since 1970, used for all files in packages."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or run("git", "log", "-1", "--format=%ct"))


def papers():
    """Returns the files that are packaged with the program, by name."""
    names = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]
    return {name: (ROOT / name).read_bytes() for name in names}


def written_by(program):
    """Returns the man pages and completions, by name."""
    with tempfile.TemporaryDirectory() as folder:
        run(program, "man", folder)
        pages = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    scripts = {shell: run(program, "completions", shell) for shell in COMPLETIONS}
    return pages, scripts


def glibc_of(program):
    """Returns the oldest glibc with everything that the program needs, such as `(2, 17)`, or `None` for a program without it."""
    versions = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", program)
    return max(((int(major), int(minor)) for major, minor in versions), default=None)


def pressed(content):
    """Compresses as gzip without a name or time."""
    return gzip.compress(content, 9, mtime=0)


def tar(files, time, folder):
    """Returns a tar archive. `files` contains, for each path, its bytes and whether it is executable."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=time, compresslevel=9) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path, (content, is_program) in sorted(files.items()):
                entry = tarfile.TarInfo(folder + path)
                entry.size, entry.mtime, entry.mode = len(content), time, 0o755 if is_program else 0o644
                archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zip_of(files, time):
    """Like `tar`, in the order of `files`."""
    packed = io.BytesIO()
    # The format's earliest year is 1980.
    date = datetime.fromtimestamp(max(time, 315532800), timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, (content, is_program) in files.items():
            entry = zipfile.ZipInfo(path, date)
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return packed.getvalue()


def plain(files):
    """Returns the same files, none of them executable."""
    return {path: (content, False) for path, content in files.items()}


def archive(about, program, target, pages, scripts, time):
    files = {"stepkin": (program, True), **plain(papers())}
    files.update(plain({f"man/{name}": page for name, page in pages.items()}))
    files.update(plain({f"completions/{COMPLETIONS[shell]}": script for shell, script in scripts.items()}))
    name = f"stepkin-{about['version']}-{target}"
    return name + ".tar.gz", tar(files, time, name + "/")


def wheel(about, program, target, time):
    """Returns a wheel by PyPA's "Binary distribution format". The program is a script of the wheel."""
    version, platform = about["version"], TARGETS[target][1]
    glibc = glibc_of(program)
    platform = platform.format(glibc="{}_{}".format(*glibc)) if glibc else platform
    # Older versions of pip support only this old name.
    if glibc == (2, 17) and "x86_64" in target:
        platform += ".manylinux2014_x86_64"
    info = f"stepkin-{version}.dist-info"
    licences = [name for name in papers() if name.startswith("LICENSE")]
    metadata = [
        "Metadata-Version: 2.4",
        "Name: stepkin",
        f"Version: {version}",
        f"Summary: {about['description']}",
        f"Keywords: {','.join(about['keywords'])}",
        f"Author: {', '.join(about['authors'])}",
        f"License-Expression: {about['license']}",
        *(f"License-File: {name}" for name in licences),
        *([f"Project-URL: Source, {about['repository']}"] if about["repository"] else []),
        "Requires-Python: >=3.7",
        "Description-Content-Type: text/markdown; charset=UTF-8",
        "",
        papers()["README.md"].decode(),
    ]
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    files = {
        f"stepkin-{version}.data/scripts/stepkin": (program, True),
        f"{info}/METADATA": ("\n".join(metadata).encode(), False),
        f"{info}/WHEEL": (f"Wheel-Version: 1.0\nGenerator: stepkin\nRoot-Is-Purelib: false\n{tags}".encode(), False),
        **plain({f"{info}/licenses/{name}": papers()[name] for name in licences}),
    }
    record = ""
    for path, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), False)
    return f"stepkin-{version}-py3-none-{platform}.whl", zip_of(files, time)


def npm(about, name, more, files, time):
    """Returns a package like `npm pack`. `more` are additional fields of its package.json."""
    manifest = {
        "name": name,
        "version": about["version"],
        "description": about["description"],
        "author": ", ".join(about["authors"]),
        "license": about["license"],
        **({"repository": about["repository"]} if about["repository"] else {}),
        # Packages with a scope are private by default.
        "publishConfig": {"access": "public"},
        **more,
    }
    licences = {name: paper for name, paper in papers().items() if name.startswith("LICENSE")}
    text = json.dumps(manifest, indent=2).encode() + b"\n"
    files = {"package.json": (text, False), **plain(licences), **files}
    return f"{name.replace('@', '').replace('/', '-')}-{about['version']}.tgz", tar(files, time, "package/")


def npm_of_target(about, program, target, time):
    platform = TARGETS[target][0]
    system, processor, *library = platform.split("-")
    readme = f"The program of [stepkin](https://www.npmjs.com/package/stepkin) for {platform}.\n"
    more = {"os": [system], "cpu": [processor]}
    if system == "linux":
        more["libc"] = library or ["glibc"]
    files = {"stepkin": (program, True), "README.md": (readme.encode(), False)}
    return npm(about, f"@stepkin/{platform}", more, files, time)


def npm_of_all(about, time):
    platforms = {f"@stepkin/{platform}": about["version"] for platform, *_ in TARGETS.values()}
    more = {
        "keywords": about["keywords"],
        "bin": {"stepkin": "stepkin.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": platforms,
    }
    files = {
        "stepkin.js": ((ROOT / "packaging/npm/stepkin.js").read_bytes(), True),
        "README.md": (papers()["README.md"], False),
    }
    return npm(about, "stepkin", more, files, time)


def deb(about, program, target, pages, scripts, time, to):
    """Builds a package with `dpkg-deb`, and returns its name."""
    architecture = TARGETS[target][2]
    major, minor = glibc_of(program)
    depends = f"libc6 (>= {major}.{minor})"
    # Programs linked by Zig contain this.
    if b"\0libgcc_s.so.1\0" in program:
        depends += ", libgcc-s1"
    files = {"usr/bin/stepkin": (program, True)}
    files.update(plain({f"usr/share/man/man1/{name}.gz": pressed(page) for name, page in pages.items()}))
    files.update(plain({path: scripts[shell] for shell, path in DEBIAN_COMPLETIONS.items()}))
    kept = papers()
    files.update(plain({
        "usr/share/doc/stepkin/copyright": kept["LICENSE-MIT"] + b"\n\nOr, as you like:\n\n" + kept["LICENSE-APACHE"],
        "usr/share/doc/stepkin/changelog.gz": pressed(kept["CHANGELOG.md"]),
    }))
    control = {
        "Package": "stepkin",
        "Version": about["version"],
        "Architecture": architecture,
        "Maintainer": ", ".join(about["authors"]),
        "Installed-Size": str(sum(len(content) for content, _ in files.values()) // 1024),
        "Depends": depends,
        # `drift --since` and the dates of pages use it.
        "Recommends": "git",
        "Section": "text",
        "Priority": "optional",
        **({"Homepage": about["repository"]} if about["repository"] else {}),
        "Description": about["description"],
    }
    files["DEBIAN/control"] = ("".join(f"{key}: {value}\n" for key, value in control.items()).encode(), False)
    name = f"stepkin_{about['version']}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as folder:
        for path, (content, is_program) in files.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            file.chmod(0o755 if is_program else 0o644)
        for parent, _, _ in os.walk(folder):
            os.chmod(parent, 0o755)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time)}
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder, str(to / name), env=environment)
    return name


def make_target(path, target, folder):
    about, time = crate(), moment()
    program = path.read_bytes()
    is_glibc = target.endswith("-linux-gnu")
    if is_glibc != (glibc_of(program) is not None):
        raise Refused(f"`{path}` is not a program for {target}: it {'needs no' if is_glibc else 'needs'} glibc")
    said = run(path, "--version").decode().split()[1]
    if said != about["version"]:
        raise Refused(f"`{path}` is version {said}, and Cargo.toml says {about['version']}: compile it again")
    pages, scripts = written_by(path)
    packages = [
        archive(about, program, target, pages, scripts, time),
        wheel(about, program, target, time),
        npm_of_target(about, program, target, time),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in packages:
        (folder / name).write_bytes(content)
    names = [name for name, _ in packages]
    if TARGETS[target][2]:
        if shutil.which("dpkg-deb"):
            names.append(deb(about, program, target, pages, scripts, time, folder))
        else:
            print("warning: cannot find `dpkg-deb`, so no .deb is created", file=sys.stderr)
    print(f"{len(program):>12,} bytes  the program")
    if is_glibc:
        print("{:>12}        minimum glibc version".format("{}.{}".format(*glibc_of(program))))
    for name in names:
        print(f"{(folder / name).stat().st_size:>12,} bytes  {name}")


def make_common(folder):
    name, content = npm_of_all(crate(), moment())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / "SHA256SUMS").write_text(sums)


def check_ready(tag):
    """Refuses a release that is incomplete."""
    about = crate()
    version, missing = about["version"], []
    if tag != f"v{version}":
        missing.append(f"the tag is `{tag}`, and Cargo.toml wants `v{version}`")
    if not about["repository"]:
        missing.append("Cargo.toml has no `repository`: packages lead there, and registries compare it with where they come from")
    changelog = (ROOT / "CHANGELOG.md").read_text()
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        missing.append(f"CHANGELOG.md has no chapter `## [{version}] - YEAR-MONTH-DAY`")
    if missing:
        raise Refused(*missing)


def main():
    parser = argparse.ArgumentParser(description="Create the packages of a release from compiled programs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    target = commands.add_parser("target", help="create the archive, wheel, npm package, and .deb for a target")
    target.add_argument("program", type=Path, help="program that runs on this machine, because it prints its manual pages")
    target.add_argument("target", choices=TARGETS)
    target.add_argument("folder", type=Path)
    target.set_defaults(run=lambda given: make_target(given.program.resolve(), given.target, given.folder.resolve()))
    common = commands.add_parser("common", help="create the npm package for all targets, and SHA256SUMS")
    common.add_argument("folder", type=Path)
    common.set_defaults(run=lambda given: make_common(given.folder.resolve()))
    ready = commands.add_parser("ready", help="report what is missing for a release")
    ready.add_argument("tag", help="`v` and the version")
    ready.set_defaults(run=lambda given: check_ready(given.tag))
    given = parser.parse_args()
    try:
        given.run(given)
    except Refused as refused:
        sys.exit("\n".join(f"error: {reason}" for reason in refused.args))
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: `{' '.join(map(str, error.cmd))}` ended with {error.returncode}")
    except OSError as error:
        sys.exit(f"error: cannot use `{error.filename}`: {error.strerror}")


if __name__ == "__main__":
    main()
