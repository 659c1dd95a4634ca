# One verb each; CI runs the same ones. Everything else depends on `setup`, which is quick when nothing changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The Android half needs a JDK, Maven and Debian's Android tools; `setup-android` installs them or says how.
ANDROID := cd tests && ../$(BIN)/python -m android

.PHONY: setup setup-android setup-browser demo demo-android check format android apk pictures test bench clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name it with: make setup PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	@touch $(READY)

setup-android: setup
	@$(ANDROID).host setup

# The browser pipe's tests need Chromium; where it cannot be installed they are skipped and say so.
setup-browser: setup
	@cd tests && ../$(BIN)/python -m support.pipe_chromium

demo: setup
	@$(BIN)/cetp demo

check: setup-android
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(ANDROID).host check

format: setup-android
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@$(ANDROID).host format

# The real bridge and the real sample on Android's framework, in the place of the demo's virtual phone.
demo-android: setup-android
	@$(ANDROID).host phone
	@cd tests && ../$(BIN)/python -m support.phone_demo

android: setup-android
	@$(ANDROID).host test

apk: setup-android
	@$(ANDROID).host apk

pictures: setup-android
	@$(ANDROID).host pictures

test: setup-browser android apk
	$(BIN)/pytest -n auto --dist loadfile

bench: setup
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) build dist tests/android/target .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
