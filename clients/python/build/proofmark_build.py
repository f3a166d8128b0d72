"""Builds the package (PEP 517) with the standard library alone, and puts the project's verify.py into it.

The same sources give the same bytes.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import tarfile
import zipfile

NAME = "proofmark"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = os.path.dirname(os.path.dirname(ROOT))
# Files of the project, and their places in a source distribution.
BORROWED = {"src/proofmark/_verify.py": "src/pages/verify.py", "LICENSE": "LICENSE"}
EPOCH = (1980, 1, 1, 0, 0, 0)
METADATA = """Metadata-Version: 2.1
Name: %(name)s
Version: %(version)s
Summary: Client of Proofmark: proves files by their hashes on the XRP Ledger, and verifies certificates offline
License: Apache-2.0
Requires-Python: >=3.9
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

%(readme)s"""


def read(path):
    """Bytes of a file of the package. In a checkout, borrowed files are read where they are."""
    own = os.path.join(ROOT, path)
    if not os.path.exists(own) and path in BORROWED:
        own = os.path.join(PROJECT, BORROWED[path])
    with open(own, "rb") as file:
        return file.read()


def version():
    """The version in pyproject.toml."""
    return re.search(r'(?m)^version = "([^"]+)"$', read("pyproject.toml").decode()).group(1)


def metadata():
    return (METADATA % {"name": NAME, "version": version(), "readme": read("README.md").decode()}).encode()


def modules():
    """Paths of the package's files."""
    folder = os.path.join(ROOT, "src", NAME)
    own = ["src/%s/%s" % (NAME, name) for name in os.listdir(folder) if name.endswith((".py", ".pyi", ".typed"))]
    return sorted(set(own) | {"src/proofmark/_verify.py"})


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = "%s-%s.dist-info/" % (NAME, version())
    files = {path[len("src/"):]: read(path) for path in modules()}
    files[info + "METADATA"] = metadata()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: proofmark_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[info + "LICENSE"] = read("LICENSE")
    record = "".join("%s,sha256=%s,%d\n" % (path, digest(data), len(data)) for path, data in files.items())
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    name = "%s-%s-py3-none-any.whl" % (NAME, version())
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)
    return name


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory, config_settings=None):
    base = "%s-%s" % (NAME, version())
    own = ["pyproject.toml", "README.md", "LICENSE", "build/proofmark_build.py"] + modules()
    files = dict({path: read(path) for path in own}, **{"PKG-INFO": metadata()})
    path = os.path.join(sdist_directory, base + ".tar.gz")
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo("%s/%s" % (base, name))
                entry.size, entry.mode = len(data), 0o644
                archive.addfile(entry, io.BytesIO(data))
    return base + ".tar.gz"
