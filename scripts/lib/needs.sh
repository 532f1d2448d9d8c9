# shellcheck shell=bash
# Sourced by the scripts in the parent directory: finds what they need and installs what is missing.

# Packages for building, and for the tests: servers to download from, packs, checkers.
# shellcheck disable=SC2034 # used by the scripts that source this file
build_packages=(libcurl4-openssl-dev libzip-dev libdeflate-dev libsqlite3-dev libxml2-dev libxxhash-dev
    libharfbuzz-dev libvips-dev librlottie-dev libvpx-dev libsystemd-dev)
# shellcheck disable=SC2034
test_packages=(gcc libc6-dev strace nginx-light pidgin pidgin-themes python3 python3-jsonschema openssl zip unzip curl
    util-linux iproute2 chromium firefox-esr fonts-dejavu-core python3-tinycss2 python3-gi gir1.2-gtk-3.0
    gir1.2-gtk-4.0 systemd zsh fish tmux binutils groff-base jq ca-certificates fonts-noto-color-emoji unicode-data
    unicode-cldr-core python3-fonttools g++ pkg-config qtbase5-dev libkf5emoticons-dev libkf5emoticons-bin
    libkf5emoticons-data python3-venv weechat-headless weechat-python xvfb xdotool dbus-daemon at-spi2-core
    gir1.2-atspi-2.0 desktop-file-utils)
# Other programs that read ZIP archives.
# shellcheck disable=SC2034
reader_packages=(libzip-dev python3 libarchive-tools unzip p7zip-full default-jdk-headless golang-go busybox)
# The programs with which the benchmarks compare, and tools for measuring.
# shellcheck disable=SC2034
bench_packages=(python3 python3-venv nginx-light openssl libssl-dev curl aria2 wget2 axel libarchive-tools libarchive-dev unzip p7zip-full
    zstd fonts-noto-color-emoji unicode-data linux-perf chromium fonts-dejavu-core)

say() { printf '%s\n' "$*"; }

fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

# some_ran LOG: fails where a run selected no test, such as after a module was renamed.
some_ran() { grep -q '^✔ Test run with [1-9]' "$1" || fail "no test ran; the whole output is in $1."; }

# ran_tests COMMAND...: runs tests, and fails also where none of them ran or one was skipped.
ran_tests() {
    local log
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" || fail "the tests failed; the whole output is in $log."
    some_ran "$log"
    ! grep '^➜' "$log" || fail "the tests above were skipped."
    rm "$log"
}

# need_swift: the toolchain, at least the version that Package.swift asks for.
need_swift() {
    local wanted found
    command -v swift >/dev/null ||
        fail "'swift' was not found; install the toolchain from https://www.swift.org/install and add it to PATH."
    wanted=$(sed -n 's/^.*swift-tools-version: *//p;q' Package.swift)
    found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
    [ "$(printf '%s\n' "$wanted" "$found" | sort -V | sed -n 1p)" = "$wanted" ] ||
        fail "Swift $wanted or newer is needed, found '$found'; install it from https://www.swift.org/install."
}

# need_packages PACKAGE...: Debian packages; those that are missing are installed, as root or through sudo.
need_packages() {
    local package missing=() as_root=()
    if ! command -v apt-get >/dev/null; then
        say "This is not Debian; make sure that the contents of these packages are installed: $*"
        return 0
    fi
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0

    if [ "$(id -u)" -ne 0 ]; then
        # Without a terminal sudo can't prompt.
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            fail "packages are missing; install them as root: apt-get install --no-install-recommends ${missing[*]}"
        fi
    fi
    say "Installing: ${missing[*]}"
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Options::=--force-confold)
    # A machine may have unreachable package sources that are not needed here.
    "${as_root[@]}" update </dev/null >/dev/null || say "apt-get update failed; continuing with the existing package lists."
    "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null ||
        fail "apt-get could not install: ${missing[*]}"
}

# need_python_tuf: the reference implementation of The Update Framework, from PyPI, in .build/tuf-interop.
need_python_tuf() {
    local environment=.build/tuf-interop
    # The same versions as long as nobody changes them here.
    local packages=(tuf==7.0.1 securesystemslib==1.6.0 cryptography==50.0.2)
    [ "$(cat "$environment/packages" 2>/dev/null)" != "${packages[*]}" ] || return 0
    rm -rf "$environment"
    if ! python3 -m venv "$environment" ||
        ! "$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; then
        fail "python-tuf could not be installed from PyPI."
    fi
    say "${packages[*]}" >"$environment/packages"
}
