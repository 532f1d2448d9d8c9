# shellcheck shell=bash
# Sourced by the scripts in the parent directory, after needs.sh: builds the programs, and lays out an installation.

program_names=(storectl stored storehouse store-fetch store-worker store-thumbnailer)
# What lays out an installation: for the manual pages, and to leave out what only debuggers need.
# shellcheck disable=SC2034 # used by the scripts that source this file
layout_packages=(python3 binutils)
# What makes and checks a Debian package.
# shellcheck disable=SC2034
package_packages=("${layout_packages[@]}" chrpath dpkg-dev lintian man-db groff-base mandoc desktop-file-utils)

# build_programs: builds a release of each program in .build/release.
build_programs() {
    local name
    for name in "${program_names[@]}"; do swift build -c release --product "$name"; done
}

# need_programs DIRECTORY: all built programs, in the directory that --programs names.
need_programs() {
    local name missing=()
    [ -d "$1" ] || fail "there is no directory '$1'; name one with the built programs, such as .build/release."
    for name in "${program_names[@]}"; do
        [ -f "$1/$name" ] && [ -x "$1/$name" ] || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] ||
        fail "the directory '$1' lacks ${missing[*]}; build them with 'swift build -c release', or omit --programs."
}

# lay_out PROGRAMS PREFIX ROOT: lays out an installation in PREFIX below the directory ROOT, with the built programs of the
# directory PROGRAMS: programs, preinstalled skins, JSON Schemas, systemd user units, the entry in the desktop's menu, shell
# completions, manual pages and sample front-ends.
lay_out() {
    local programs=$1 prefix=$2 share=$3$2/share bin=$3$2/bin name shell unit file directory character words
    local completions=(bash-completion/completions zsh/site-functions fish/vendor_completions.d)

    for name in "${program_names[@]}"; do
        install -D -m 755 "$programs/$name" "$bin/$name"
        strip "$bin/$name"
    done
    install -d -m 755 "$share/storectl" "${completions[@]/#/$share/}"
    cp -RL config/packs config/schemas "$share/storectl/"
    install -d -m 755 "$share/doc/storectl/examples"
    cp -RL config/front-ends "$share/doc/storectl/examples/"

    # systemd searches share/systemd/user of /usr, of /usr/local and of ~/.local, but looks for programs only in fixed
    # directories.
    install -d -m 755 "$share/systemd/user"
    directory=${prefix//\\/\\\\} directory=${directory//\"/\\\"} directory=${directory//%/%%}/bin
    for unit in config/systemd/user/*; do
        directory=$directory awk 'match($0, /^Exec[A-Za-z]+=-?/) {
                words = substr($0, RLENGTH + 1)
                match(words, /^[^ ]+/)
                program = ENVIRON["directory"] "/" substr(words, 1, RLENGTH)
                $0 = substr($0, 1, length($0) - length(words)) "\"" program "\"" substr(words, RLENGTH + 1)
            } { print }' "$unit" >"$share/systemd/user/$(basename "$unit")"
    done

    # A desktop has its own PATH. In its entries, these characters are escaped in quotation marks, and each backslash once
    # more (Desktop Entry Specification, "The Exec key").
    directory=${prefix//\\/\\\\\\\\}
    for character in '"' '$' '`'; do directory=${directory//"$character"/"\\\\$character"}; done
    directory=${directory//%/%%}/bin
    install -d -m 755 "$share/applications"
    directory=$directory awk '/^Exec=/ {
            program = substr($0, 6, index($0, " ") - 6)
            $0 = "Exec=\"" ENVIRON["directory"] "/" program "\"" substr($0, index($0, " "))
        } { print }' config/desktop/storectl.desktop >"$share/applications/storectl.desktop"
    install -D -m 644 Sources/WebPages/Assets/icon.svg "$share/icons/hicolor/scalable/apps/storectl.svg"

    for name in storectl stored storehouse; do
        for shell in bash zsh fish; do
            case $shell in
            bash) file=${completions[0]}/$name ;;
            zsh) file=${completions[1]}/_$name ;;
            fish) file=${completions[2]}/$name.fish ;;
            esac
            words=(--generate-completion-script "$shell")
            [ "$name" != storectl ] || words=(completions "$shell")
            # A file that a shell reads has no interpreter line.
            "$programs/$name" "${words[@]}" | sed '1{/^#!/d}' >"$share/$file"
        done
    done
    python3 scripts/lib/manual.py "$programs" "$share/man"
    chmod -R u=rwX,go=rX "$3$prefix"
}
