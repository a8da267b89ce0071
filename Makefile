# Hexveil: everything a developer runs. `make help` lists it.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.complete
SAMPLE := resources/sample/surat-synthetic.parquet
OFFSCREEN := QT_QPA_PLATFORM=offscreen
# Chromium's sandbox cannot start as root; everyone else keeps it.
ifeq ($(shell id -u),0)
OFFSCREEN += QTWEBENGINE_DISABLE_SANDBOX=1
endif

# Where the shell forbids bytecode, each process of the tests would compile every source anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run test test-spark test-windows lint bench audit tamper crash race fuzz leaks load portals laws blocks figures screenshots tour soak dist installer smoke windows wine layout docs languages notices sbom lock sample clean
.PHONY: system-run system-test system-build system-windows

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

setup: system-run $(STAMP) ## system libraries where missing, and .venv with the locked packages

run: setup ## open the window; without a display: release the sample headless
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
		exec $(PYTHON) main.py; \
	else \
		exec bash resources/demo/headless.sh; \
	fi

test: system-test lint ## lint, types, import rules and the whole suite, offscreen
	$(OFFSCREEN) $(PYTHON) -m pytest -n 2 -m "not audit"

SPARK := build/spark/.complete
test-spark: $(STAMP) $(SPARK) ## the tests of the engine Spark, in this machine; needs Java 17 (some minutes)
	PYTHONPATH=$(abspath $(dir $(SPARK))) $(OFFSCREEN) $(PYTHON) -m pytest -m spark tests/core/engines

$(SPARK): tests/core/engines/spark.lock | $(STAMP)
	rm -rf $(dir $@)
	$(PYTHON) -m pip install --quiet --require-hashes --no-deps --no-build-isolation --target $(dir $@) -r $<
	@touch $@

lint: $(STAMP) ## ruff (rules and format) and mypy
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

audit: system-test $(STAMP) ## the long audits with a table of them, and whatever the suite runs a sample of (up to an hour)
	$(OFFSCREEN) $(PYTHON) -m pytest -n 2 --maxschedchunk 1 -m audit --every-audit

tamper: $(STAMP) ## every byte of a small bundle flipped, and structure attacks: figures (some minutes)
	$(PYTHON) -m tests.tampering

crash: $(STAMP) ## a release killed, refused and cut off from power at each file call: figures (ten minutes)
	$(PYTHON) -m tests.fire.crashes $(CRASH)

race: system-test $(STAMP) ## eight commands, and windows, that release at the same moment: figures (some minutes)
	$(OFFSCREEN) $(PYTHON) -m tests.fire.races $(RACE)

FUZZER := build/fuzzer/.complete
fuzz: $(STAMP) $(FUZZER) ## whatever reads a file, fuzzed by coverage: figures (twenty minutes), longer with FUZZ="600 csv"
	PYTHONPATH=.:$(dir $(FUZZER)) $(PYTHON) -m tests.fire.fuzzing $(FUZZ)

$(FUZZER): tests/fire/fuzzer.lock | $(STAMP)
	rm -rf $(dir $@)
	$(PYTHON) -m pip install --quiet --require-hashes --no-deps --target $(dir $@) -r $<
	@touch $@

leaks: system-test $(STAMP) ## planted ids, values, paths and names searched in all that a run leaves: figures
	$(OFFSCREEN) $(PYTHON) -m tests.fire.leaks

load: $(STAMP) ## records, files, bundles, ledger and hexagon slots as after years, with bars of their growth: figures (SCALE=1: all of them)
	$(PYTHON) -m tests.fire.load $(SCALE)

portals: $(STAMP) ## a bundle's records against the published shapes of DCAT-AP, mobilityDCAT-AP and HVD, in SHAPES=folder
	$(PYTHON) -m tests.portals "$(SHAPES)"

laws: system-test $(STAMP) ## the suite with many more examples for each law
	HYPOTHESIS_PROFILE=thorough $(OFFSCREEN) $(PYTHON) -m pytest -n 2 -m "not audit"

blocks: system-test $(STAMP) ## the commands of the documents that take long, as printed (hours; needs the network); some with ONLY="privacy"
	$(OFFSCREEN) $(PYTHON) -m pytest -m long -k "$(or $(ONLY),blocks)" tests/test_document_blocks.py

bench: $(STAMP) ## measure speed and memory (tests/benchmarks), one after the other
	@for file in tests/benchmarks/bench_*.py; do \
		[ -e "$$file" ] || continue; \
		echo "== $$file"; \
		$(OFFSCREEN) $(PYTHON) -m tests.benchmarks."$$(basename "$$file" .py)"; \
	done

PICTURES := $(or $(PICTURES),$(shell mktemp -u -d -t hexveil-pictures-XXXXXX))
SCALED := 1- 2-hexagons 4-parameters-chosen card 5-errors k- 6- 7- a-review practice-result d-released-map e- t- import-a i-settings
screenshots: system-test $(STAMP) ## every page and state as PNG, into PICTURES=folder (default: a temporary one), some with ONLY="4- a-"; the main ones at 150 % too
	PYTHONPATH=. $(OFFSCREEN) $(PYTHON) tests/ui/pictures/screenshots.py "$(PICTURES)" $(ONLY)
	PYTHONPATH=. $(OFFSCREEN) QT_SCALE_FACTOR=1.5 $(PYTHON) tests/ui/pictures/screenshots.py "$(PICTURES)" $(or $(ONLY),$(SCALED))

tour: system-test $(STAMP) ## the pictures of tour and README anew, from those of the walk
	$(OFFSCREEN) $(PYTHON) -m tests.ui.pictures.tour_pictures

soak: system-test $(STAMP) ## 500 job cycles and 50 window cycles: no crash, no leak; prints figures
	PYTHONPATH=. $(OFFSCREEN) $(PYTHON) tests/ui/soak.py

figures: $(STAMP) ## the papers' figures as PNG, SVG, PDF and CSV in build/figures
	rm -rf build/figures
	$(PYTHON) main.py figures --out build/figures

BUILT := dist/hexveil/THIRD_PARTY.md
WINDOWS := dist/hexveil-$(shell sed -nE 's/^__version__ = "(.+)"/\1/p' core/__init__.py)-setup.exe
dist: $(BUILT) ## the program as a folder, dist/hexveil (PyInstaller)

# Written last: a build whose modules are not all accounted for does not count as made.
$(BUILT): pyinstaller.spec main.py $(STAMP) $(shell find core ui resources -type f -not -name '*.pyc') | system-build
	rm -rf dist/hexveil
	$(PYTHON) -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build/pyinstaller pyinstaller.spec
	$(PYTHON) resources/installer/third_party.py --built dist/hexveil

# By name, all that targets and tools make in build and dist: what else lies there is somebody's.
IN_BUILD := $(addprefix build/,deb figures fuzzer fuzzing hexveil.cdx.json pyinstaller run sample-[0-9]* smoke spark windows wine)
IN_DIST := $(addprefix dist/hexveil,_*.deb* -*.run* -*.sha256 -*.minisig -installers.pub _verify.py* .cdx.json*)
# Signed together: a throw-away key signs all of one build.
installer: dist $(WINDOWS) ## dist/*.deb, *.run, *-setup.exe, *-windows.zip, the public's verifier and the bill of materials, signed
	rm -f $(IN_DIST)
	install -m 755 resources/verifier/hexveil_verify.py dist/
	PYTHONPATH=. $(PYTHON) resources/installer/sbom.py > dist/hexveil.cdx.json
	bash resources/installer/deb.sh
	bash resources/installer/run.sh
	PYTHONPATH=. $(PYTHON) resources/installer/sign.py dist/hexveil_*.deb dist/hexveil-*.run dist/hexveil-*-setup.exe dist/hexveil-*-windows.zip \
		dist/hexveil_verify.py dist/hexveil.cdx.json

windows: $(WINDOWS) ## the parts of the above that are for Windows alone, built on Debian (some minutes), signed
	PYTHONPATH=. $(PYTHON) resources/installer/sign.py dist/hexveil-*-setup.exe dist/hexveil-*-windows.zip

# Written last. What was fetched stays in build/windows, and is taken from there the next time.
$(WINDOWS): main.py LICENSE requirements.lock $(STAMP) $(shell find core ui resources -type f -not -name '*.pyc') | system-windows
	bash resources/installer/windows/build.sh

smoke: installer ## try folder, .run and (as root) .deb as an ordinary user without network
	$(PYTHON) resources/installer/smoke.py built
	$(PYTHON) resources/installer/smoke.py run
	$(PYTHON) resources/installer/smoke.py deb
	$(MAKE) wine

wine: $(STAMP) ## try the Windows program of dist/ under wine, from installation to removal: figures
	@bash resources/installer/system-packages.sh wine
	$(PYTHON) -u resources/installer/smoke_windows.py

test-windows: $(WINDOWS) ## tests of core/ under wine, by the Windows program's Python; some with PARTS="store cli"
	@bash resources/installer/system-packages.sh wine
	PYTHONPATH=. $(PYTHON) -u resources/installer/windows/wine/core_tests.py $(PARTS)

layout: $(STAMP) ## rooms and files of core and ui, each with what it says of itself: where to look
	@$(PYTHON) docs/print_layout.py

docs: $(STAMP) ## docs/file-formats.md and docs/commands.md anew, after keys of a spec, forms of times or commands have changed
	PYTHONPATH=. $(PYTHON) docs/write_keys.py
	PYTHONPATH=. $(PYTHON) docs/write_commands.py

languages: $(STAMP) ## the catalogues of languages brought up to date with the texts of the sources
	PYTHONPATH=. $(PYTHON) docs/write_catalogues.py

notices: $(STAMP) ## THIRD_PARTY.md anew, after the lock has changed
	$(PYTHON) resources/installer/third_party.py > THIRD_PARTY.md

sbom: $(STAMP) ## build/hexveil.cdx.json: what ships, as CycloneDX, from the lock
	@mkdir -p build
	PYTHONPATH=. $(PYTHON) resources/installer/sbom.py > build/hexveil.cdx.json

lock: ## pin all packages with hashes anew (needs uv)
	@command -v uv >/dev/null || { echo "uv is missing: install it, then run make lock again" >&2; exit 2; }
	uv pip compile pyproject.toml --extra build --extra dev --universal --generate-hashes --upgrade --quiet \
		--python-version 3.11 --custom-compile-command "make lock" --output-file requirements.lock

sample: $(STAMP) ## make the bundled sample anew
	@mkdir -p build
	@rm -f build/$(notdir $(SAMPLE))
	$(PYTHON) main.py synthesize --records 220000 --out build/$(notdir $(SAMPLE)) --maps $(dir $(SAMPLE))
	mv build/$(notdir $(SAMPLE)) $(SAMPLE)

clean: ## remove what was built; .venv stays, and what somebody put into build and dist
	rm -rf $(IN_BUILD) build/$(notdir $(SAMPLE)) $(IN_DIST) dist/hexveil dist/hexveil-*-setup.exe dist/hexveil-*-windows.zip
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(wildcard __pycache__) core docs resources tests ui -path '*/__pycache__/*.pyc' -delete
	find $(wildcard __pycache__) core docs resources tests ui -name __pycache__ -empty -delete
	rmdir build dist 2>/dev/null || true

system-run:
	@bash resources/installer/system-packages.sh run

system-test:
	@bash resources/installer/system-packages.sh test

system-build:
	@bash resources/installer/system-packages.sh build

system-windows:
	@bash resources/installer/system-packages.sh windows

# The stamp is written last: a half-made environment does not count as made.
$(STAMP): requirements.lock | system-run
	@python=$$(bash resources/installer/chosen-python.sh); \
	if [ -z "$$python" ]; then \
		echo "Python 3.11 is missing. Install it (Debian 12: sudo apt-get install python3.11 python3.11-venv) and run make again." >&2; \
		exit 2; \
	fi; \
	if [ -e $(VENV) ] && [ ! -e $(VENV)/pyvenv.cfg ]; then \
		echo "$(VENV) is no virtual environment: move it elsewhere and run make again." >&2; \
		exit 2; \
	fi; \
	rm -rf $(VENV); \
	"$$python" -m venv $(VENV)
	@echo "Installing the locked packages into $(VENV), about 2 GB: some minutes, once."
	$(PYTHON) -m pip install --quiet --require-hashes -r requirements.lock
	@touch $@
