#!/usr/bin/env python3
"""Writes the manual pages (man(7)) of the programs from the same declarations as their --help.

    manual.py PROGRAMS OUTPUT   PROGRAMS is the directory of the programs; OUTPUT receives man1/NAME.1

There is a page for each program, and one for each of its commands, such as storectl-install(1). The date on the pages is
SOURCE_DATE_EPOCH, or today. The programs describe themselves with --experimental-dump-help of swift-argument-parser.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

PROGRAMS = ["storectl", "stored", "storehouse", "store-fetch"]
# Commands that pass their arguments on to a program, which has the manual page.
PASSED_ON = {"storectl fetch": "store-fetch", "stored fetch": "store-fetch"}
# The programs that users do not call, without options.
WORKERS = [
    {
        "commandName": "store-worker",
        "abstract": "The program that reads packs for the daemon in confined processes",
        "discussion": "The daemon starts it when it installs a pack. It has no options and no use of its own; "
        "'storectl daemon status' says whether it works.",
    },
    {
        "commandName": "store-thumbnailer",
        "abstract": "The program that draws thumbnails for the daemon in confined processes",
        "discussion": "The daemon starts it when a thumbnail or a contact sheet is requested. It has no options and no "
        "use of its own. Without it, or without libvips, images are shown as they are.",
    },
]
# Options of the argument parser itself, which every synopsis would repeat.
OF_PARSER = {"help", "version"}
SECTIONS = {"Examples": "EXAMPLES", "Exit codes": "EXIT STATUS", "Environment": "ENVIRONMENT", "Files": "FILES"}


def run(program, *arguments):
    """Returns what a program prints."""
    return subprocess.run([program, *arguments], check=True, capture_output=True, encoding="utf-8").stdout


def escaped(text, is_literal=False):
    """Returns text as roff prints it; in literal text, such as an option's name, hyphens are minus signs."""
    text = text.replace("\\", "\\e")
    # A hyphen at the beginning of a word begins an option, which users copy into a shell.
    text = text.replace("-", "\\-") if is_literal else re.sub(r"(?<![\w-])-+", lambda run: "\\-" * len(run[0]), text)
    text = re.sub(r"(?m)^([.'])", r"\\&\1", text)
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)


def bold(text):
    return f"\\fB{escaped(text, True)}\\fR"


def italic(text):
    return f"\\fI{escaped(text, True)}\\fR"


def lowered(abstract):
    """Returns an abstract with a small first letter, unless its first word is an abbreviation."""
    return abstract[:1].lower() + abstract[1:] if abstract[1:2].islower() else abstract


def paragraphs(discussion):
    """Yields the paragraphs of a discussion as (section, lines); the section is None for the description."""
    for paragraph in re.split(r"\n\s*\n", (discussion or "").strip("\n")):
        if not paragraph:
            continue
        head, colon, rest = paragraph.partition(":")
        if colon and head in SECTIONS:
            # The rest follows the colon, or is the indented lines below it.
            yield SECTIONS[head], [line for line in rest.strip("\n").split("\n") if line]
        else:
            yield None, paragraph.split("\n")


def block(lines):
    """Returns a paragraph; indented lines, such as commands, keep their line breaks."""
    page, is_literal = [], False
    for line in lines:
        if line.startswith("  ") != is_literal:
            is_literal = not is_literal
            page += [".RS 4", ".nf"] if is_literal else [".fi", ".RE"]
        page.append(escaped(line[2:], True) if is_literal else escaped(line.strip()))
    return page + ([".fi", ".RE"] if is_literal else [])


def discussed(command, section):
    """Returns the paragraphs of a command's discussion that belong to a section; each begins with a paragraph break."""
    blocks = [block(lines) for owner, lines in paragraphs(command.get("discussion")) if owner == section]
    return [line for lines in blocks for line in [".PP", *lines]]


def names(argument):
    """Returns the names of an option, the short one first, as they are typed."""
    dashes = {"short": "-", "longWithSingleDash": "-", "long": "--"}
    typed = [dashes[name["kind"]] + name["name"] for name in argument.get("names", [])]
    return sorted(typed, key=len)


def shown(command):
    return [argument for argument in command.get("arguments") or [] if argument["shouldDisplay"]]


def subcommands(command):
    return [sub for sub in command.get("subcommands") or [] if sub["shouldDisplay"] and sub["commandName"] != "help"]


def synopsis(command, words):
    """Returns how a command is called, as --help prints it."""
    parts = [bold(words)]
    arguments = [argument for argument in shown(command) if argument["valueName"] not in OF_PARSER]
    for argument in sorted(arguments, key=lambda argument: argument["kind"] != "positional"):
        value = italic(argument["valueName"])
        if argument["kind"] == "positional":
            text = value
        else:
            text = bold(names(argument)[-1]) + (f" {value}" if argument["kind"] == "option" else "")
        text += " ..." if argument["isRepeating"] else ""
        parts.append(f"[{text}]" if argument["isOptional"] else text)
    if subcommands(command):
        parts.append(italic("command") if not arguments else f"[{italic('command')}]")
    return " ".join(parts)


def described(argument):
    """Returns the list item of an argument or option, with its default value."""
    value = italic(argument["valueName"])
    if argument["kind"] == "positional":
        title = value
    else:
        title = ", ".join(map(bold, names(argument))) + (f" {value}" if argument["kind"] == "option" else "")
    text = (argument.get("abstract") or "").rstrip(".")
    values, default = argument.get("allValues"), argument.get("defaultValue")
    if values and not all(value in text for value in values):
        text += f" ({', '.join(values)})"
    if default and "(default" not in text:
        text += f" (default: {default})"
    return [".TP", title, escaped(text + ".")]


def options(command, without=()):
    """Returns the list of a command's arguments and options, except those named."""
    return [
        line for argument in shown(command) if argument["valueName"] not in without for line in described(argument)
    ]


def common(commands):
    """Returns the option values that all of these commands describe alike."""
    described_by = [{a["valueName"]: a for a in shown(command) if a["kind"] != "positional"} for command in commands]
    first = described_by[0] if described_by else {}
    return [name for name, option in first.items() if all(other.get(name) == option for other in described_by)]


def section(title, lines):
    """Returns a section; it is left out if it would be empty."""
    # A heading is a paragraph break itself.
    return [f".SH {title}", *(lines[1:] if lines[0] == ".PP" else lines)] if lines else []


def nested(command, words):
    """Returns the sections of a command's own commands, such as those of `storectl skin`."""
    subs = subcommands(command)
    shared = common(subs)
    page = [".SH COMMANDS"]
    for sub in subs:
        called = f"{words} {sub['commandName']}"
        page += [f".SS {escaped(called, True)}", synopsis(sub, called)]
        page += [".PP", escaped((sub.get("abstract") or "").rstrip(".") + ".")]
        page += discussed(sub, None) + options(sub, shared)
        examples = discussed(sub, "EXAMPLES")
        page += [".PP", "Examples:", *examples[1:]] if examples else []
    if shared:
        first = {argument["valueName"]: argument for argument in shown(subs[0])}
        page += section("OPTIONS OF ALL COMMANDS", [line for name in shared for line in described(first[name])])
    return page


def page(command, words, title, see_also, date, version, called=()):
    """Returns the manual page of a command.

    `words` is what a user types, `title` the name of the page; `called` are further names of the command.
    """
    abstract = lowered((command.get("abstract") or "").rstrip("."))
    lines = [
        '.\\" Generated by scripts/lib/manual.py from the declarations of the commands.',
        f'.TH {escaped(title.upper(), True)} 1 {date} "{version}" "Manual of storectl"',
        ".ad l",
        ".nh",
        ".SH NAME",
        f"{', '.join(escaped(name, True) for name in [title, *called])} \\- {escaped(abstract)}",
        ".SH SYNOPSIS",
        synopsis(command, words),
    ]
    description = discussed(command, None)
    aliases = command.get("aliases") or []
    if aliases:
        description += [".PP", "Also: " + ", ".join(map(bold, aliases)) + "."]
    lines += section("DESCRIPTION", description or [escaped((command.get("abstract") or "").rstrip(".") + ".")])
    if subcommands(command) and " " not in words:
        lines.append(".SH COMMANDS")
        for sub in subcommands(command):
            target = PASSED_ON.get(f"{words} {sub['commandName']}", f"{words}-{sub['commandName']}")
            lines += [".TP", bold(f"{words} {sub['commandName']}"), escaped((sub.get("abstract") or "").rstrip("."))]
            lines[-1] += f". See {bold(target)}(1)."
        lines += section("OPTIONS", options(command))
    elif subcommands(command):
        lines += nested(command, words)
    else:
        lines += section("OPTIONS", options(command))
    for title in SECTIONS.values():
        lines += section(title, discussed(command, title))
    return "\n".join(lines + section("SEE ALSO", [",\n".join(f"{bold(name)}(1)" for name in see_also)])) + "\n"


def pages(programs, date, version):
    """Yields the pages of all programs as (name, text)."""
    for program in PROGRAMS:
        command = json.loads(run(programs / program, "--experimental-dump-help"))["command"]
        others = [other for other in PROGRAMS if other != program]
        # store-fetch calls itself by the command that most users call it by.
        words = command["commandName"]
        passing = [name.replace(" ", "-") for name, target in PASSED_ON.items() if target == program]
        for name in [program, *passing]:
            yield name, page(command, words, program, others, date, version, passing)
        for sub in subcommands(command):
            called = f"{words} {sub['commandName']}"
            if called not in PASSED_ON:
                name = called.replace(" ", "-")
                yield name, page(sub, called, name, [program], date, version)


    for worker in WORKERS:
        name = worker["commandName"]
        yield name, page(worker, name, name, ["stored", "storectl"], date, version)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    programs, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / "man1"
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    version = run(programs / "storectl", "--version").strip()
    output.mkdir(parents=True, exist_ok=True)
    for name, text in pages(programs, date, version):
        (output / f"{name}.1").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
