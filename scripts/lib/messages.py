"""The texts for people in the sources, and their translations.

    messages.py [--update]

Without an option it checks Sources/Messages/Translations: each file has a translation of every text, none that no source has,
and the same placeholders. --update adds the missing texts without a translation, and removes what is not used any more.

A text is an argument of `text(…)` of Messages or of `EnglishText.filled(…)`, a `[[text]]` in a template, script or manifest of the
pages, the message or hint of an error's template, the summary of a setting, a message of the parser of command lines, or the value
of a key of the entry in the desktop's menu, whose translations --update writes into the entry.
"""

import pathlib
import re
import subprocess
import sys

TRANSLATIONS = pathlib.Path("Sources/Messages/Translations")
DESKTOP_ENTRY = pathlib.Path("config/desktop/storectl.desktop")
TRANSLATED_KEY = re.compile(r"(Name|GenericName|Comment|Keywords)=(.*)")
PLURALS = {
    "ar": (6, "n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 && n%100<=99 ? 4 : 5"),
    "ca": (3, "n==1 ? 0 : n!=0 && n%1000000==0 ? 1 : 2"),
    "de": (2, "n!=1"),
    "es": (3, "n==1 ? 0 : n!=0 && n%1000000==0 ? 1 : 2"),
    "fr": (3, "n<=1 ? 0 : n%1000000==0 ? 1 : 2"),
}
# Errors that only publishers and developers see, which are in English.
UNTRANSLATED = {"Errors+Publishing.swift", "Errors+Scenarios.swift"}
# Messages of swift-argument-parser, as UsageMessage of Terminal writes them.
PARSER_TEXTS = {
    "invalid option: {option}",
    "missing expected argument '{argument}'",
    "missing one of: '{arguments}'",
    "missing required subcommand",
    "missing value for '{option}'",
    "the option '{option}' does not take any value, but '{value}' was specified",
    "the value '{value}' is invalid for '{argument}'",
    "the value '{value}' is invalid for '{argument}': {reason}",
    "the value '{value}' is invalid for '{argument}'. Please provide one of {values}",
    "unexpected argument '{argument}'",
    "unknown option '{option}'",
    "unknown option '{option}'. Did you mean '{suggestion}'?",
}
PLACEHOLDER = re.compile(r"\{[A-Za-z0-9]+\}")
ESCAPES = {"n": "\n", "t": "\t", "0": "\0"}


def literal(text, start):
    """The value and the end of the Swift string literal at a position, with the literals that are added to it.

    A literal with an interpolation, which can't be translated, has the value None.
    """
    value, position = "", start
    while True:
        end = position + 1
        part = ""
        while text[end] != '"':
            if text[end] == "\\":
                end += 1
                if text[end] == "u":
                    close = text.index("}", end)
                    part += chr(int(text[end + 2 : close], 16))
                    end = close
                elif text[end] == "(":
                    part, value = "", None
                else:
                    part += ESCAPES.get(text[end], text[end])
            else:
                part += text[end]
            end += 1
        if value is not None:
            value += part
        more = re.compile(r'"\s*\+\s*"').match(text, end)
        if not more:
            return value, end + 1
        position = more.end() - 1


def arguments(text, start):
    """The arguments of a call, whose parenthesis is before the position, that are string literals: (label, value)."""
    found, depth, label, position = [], 1, "", start
    while depth:
        character = text[position]
        if text.startswith('#"', position):
            end = text.index('"#', position)
            if depth == 1:
                found.append((label, text[position + 2 : end]))
            position = end + 2
            continue
        if character == '"':
            value, position = literal(text, position)
            if depth == 1:
                found.append((label, value))
            continue
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 1:
            label = ""
        elif depth == 1 and (named := re.compile(r"([A-Za-z]+):").match(text, position)):
            label = named[1]
            position = named.end()
            continue
        position += 1
    return found


def calls(text, name):
    for match in re.finditer(name + r"\(", text):
        yield arguments(text, match.end())


def source_texts():
    """The texts of all sources: a set of texts, and the singulars of those with a number by their plurals."""
    texts, plurals = set(PARSER_TEXTS), {}

    def add(call):
        named = dict(call)
        if "other" in named:
            plurals[named["other"]] = named["one"]
        elif named.get(""):
            texts.add(named[""])

    for path in sorted(pathlib.Path("Sources").rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        if path.name in UNTRANSLATED:
            continue
        if path.name.startswith("Errors+"):
            for name, labels in (("ErrorTemplate", {"", "hint"}), ("ErrorHint", {"", "forPublisher"})):
                for call in calls(text, rf"\b{name}"):
                    texts.update(value for label, value in call if label in labels and value)
                # The hint of a download's error names the store.
                texts.update(
                    value.replace("the store's publisher", "the publisher of the store '{store}'")
                    for label, value in call
                    if name == "ErrorTemplate" and label == "hint" and value
                )
        elif path.name.startswith("SettingKey"):
            for call in calls(text, r"\bSettingKey"):
                # The summary is the last argument.
                texts.update(value for label, value in call[-1:] if not label and value and " " in value)
        if path.name != "Messages.swift":
            for call in calls(text, r"\btext" if re.search(r"^extension Messages\b", text, re.M) else r"\bmessages\.text"):
                add(call)
        for call in calls(text, r"\bEnglishText\.filled"):
            add(call)
    for path in sorted(pathlib.Path("Sources/WebPages").rglob("*")):
        if path.suffix in (".mustache", ".js", ".html", ".webmanifest"):
            texts.update(re.findall(r"\[\[([^\[\]]+)\]\]", path.read_text(encoding="utf-8")))
    texts.update(match[2] for line in DESKTOP_ENTRY.read_text(encoding="utf-8").splitlines() if (match := TRANSLATED_KEY.match(line)))
    return texts, plurals


def desktop_entry(known):
    """The entry in the desktop's menu with the translations of all languages."""
    lines = []
    for line in DESKTOP_ENTRY.read_text(encoding="utf-8").splitlines():
        if re.match(r"\w+\[", line):
            continue
        lines.append(line)
        if match := TRANSLATED_KEY.match(line):
            lines += [f"{match[1]}[{language}]={texts[match[2]]}" for language, (texts, _) in known.items() if texts.get(match[2])]
    return "\n".join(lines) + "\n"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquoted(text):
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text)


def read(path):
    """The translations of a file by their English texts, and the plural forms by the English plurals."""
    texts, plurals = {}, {}
    if not path.exists():
        return texts, plurals
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        parts, keyword = {}, ""
        for line in block.splitlines():
            match = re.match(r'([a-z_]+(?:\[\d\])?)?\s*"(.*)"$', line)
            if match:
                keyword = match[1] or keyword
                parts[keyword] = parts.get(keyword, "") + unquoted(match[2])
        if "msgid_plural" in parts:
            plurals[parts["msgid_plural"]] = [parts[key] for key in sorted(parts) if key.startswith("msgstr[")]
        elif parts.get("msgid"):
            texts[parts["msgid"]] = parts["msgstr"]
    return texts, plurals


def write(path, language, texts, plurals, known):
    count, rule = PLURALS[language]
    lines = [
        "# Texts for people. The translations marked as fuzzy were not reviewed by a speaker of the language.",
        "# scripts/lib/messages.py --update adds the texts that are missing.",
        'msgid ""',
        'msgstr ""',
        f'"Language: {language}\\n"',
        '"Content-Type: text/plain; charset=UTF-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
        f'"Plural-Forms: nplurals={count}; plural=({rule});\\n"',
    ]
    for text in sorted(texts):
        flags = "fuzzy, python-brace-format" if PLACEHOLDER.search(text) else "fuzzy"
        lines += ["", f"#, {flags}", f"msgid {quoted(text)}", f"msgstr {quoted(known[0].get(text, ''))}"]
    for text in sorted(plurals):
        forms = known[1].get(text, [""] * count)
        lines += ["", "#, fuzzy", f"msgid {quoted(plurals[text])}", f"msgid_plural {quoted(text)}"]
        lines += [f"msgstr[{number}] {quoted(form)}" for number, form in enumerate(forms)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def problems(language, texts, plurals, known):
    """What is wrong with the translations of a language."""
    for text in sorted(texts | set(plurals)):
        forms = known[1].get(text, []) if text in plurals else [known[0].get(text, "")]
        if not all(forms) or text in plurals and len(forms) != PLURALS[language][0]:
            yield f"no translation of '{text}'"
        for form in forms:
            # A form for a single number may name the number in words.
            extra = {"{count}"} if text in plurals else set()
            if form and (set(PLACEHOLDER.findall(form)) ^ set(PLACEHOLDER.findall(text))) - extra:
                yield f"other placeholders than '{text}': '{form}'"
    for text in sorted((set(known[0]) - texts) | (set(known[1]) - set(plurals))):
        yield f"no source has '{text}'"


def main():
    texts, plurals = source_texts()
    all_known = {language: read(TRANSLATIONS / f"{language}.po") for language in PLURALS}
    if "--update" in sys.argv[1:]:
        for language, known in all_known.items():
            write(TRANSLATIONS / f"{language}.po", language, texts, plurals, known)
        DESKTOP_ENTRY.write_text(desktop_entry(all_known), encoding="utf-8")
        return
    failed = False
    if DESKTOP_ENTRY.read_text(encoding="utf-8") != desktop_entry(all_known):
        failed = True
        print(f"{DESKTOP_ENTRY}: not the translations of {TRANSLATIONS}; messages.py --update writes them")
    for language, known in all_known.items():
        path = TRANSLATIONS / f"{language}.po"
        for problem in problems(language, texts, plurals, known):
            failed = True
            print(f"{path}: {problem}")
        if subprocess.run(["msgfmt", "--check-format", "--check-domain", "--use-fuzzy", "-o", "/dev/null", path], check=False).returncode:
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
