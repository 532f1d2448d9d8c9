"""Stickers in WeeChat: finds and installs sticker packs, sends stickers, and shows those that others send.

The script talks to storectl's daemon over its Unix socket. Nothing in it blocks WeeChat: each task is a coroutine that
WeeChat's timers and processes resume.
"""

import json
import re
import socket
import types
import unicodedata
from urllib.parse import quote, urlencode

import weechat

HELP = """\
     list: lists the installed sticker packs, with the shortcuts of their stickers
   search: finds sticker packs in the stores
  install: installs a sticker pack, and shows the progress
   cancel: cancels an installation
     send: sends a sticker to the conversation
    fetch: fetches the last sticker here that is not on this machine, and shows where it is

Without arguments, shows the buffer of the stickers, where all commands but "send" and "fetch" work, without "/stickers".

A shortcut such as :smile: in a message is sent as that sticker. To complete shortcuts with Tab, add
"|%(sticker_shortcuts)" to the option weechat.completion.default_template.

A sticker in a message is a text. It is shown as its emoji with a link to the image, if that is on this machine;
nothing is downloaded before "fetch" or "install" asks for it."""

# A message of IRC has 512 bytes, of which the sender's address and the name of the channel need some.
LONGEST_MESSAGE = 400
SECONDS_TO_RECONNECT, COMMAND_BUFFER = 5, "python.stickers"

socket_path = ""  # Where the daemon listens.
packs = []  # The installed sticker packs, in the user's order.
shortcuts = {}  # The identifiers of the pack and the sticker for each shortcut, and the sticker's emoji.
found = []  # The identifiers of the products that were found last.
offers = {}  # For each conversation, the reference of the last sticker that can be fetched.
progress = {}  # The text that is shown for each operation.


# Installs a sticker pack, and shows the progress. All else in this file is about WeeChat.


async def install(chat, product):
    sequence = (await ask("GET", "/v1/snapshot"))["sequence"]
    answer = await ask("POST", "/v1/downloads", {"productIdentifier": product})
    if answer["download"] is None:
        return show(f"{product} is installed already in {answer['pack']['path']}")
    async for event in events(sequence, product):
        if event["type"] == "download":
            show_progress(event)
            if event["state"] in ("Finished", "Cancelled", "Failed"):
                return


# The commands.


async def list_packs(chat):
    await read_packs()
    for pack in packs:
        identifier = pack["productIdentifier"]
        names = [f"{name} {emoji}" for name, (its, _, emoji) in shortcuts.items() if its == identifier]
        show(f"{plain(identifier)}\t{localized(pack['name'])}: {' '.join(names)}")
    show(f"Installed sticker packs: {len(packs)}. Find others with: search WORDS")


async def search(chat, *words):
    answer = await ask("GET", "/v1/products?" + urlencode({"kind": "sticker", "words": " ".join(words)}))
    found[:] = [product["productIdentifier"] for product in answer["products"]]
    for product in answer["products"]:
        details = [product["name"], product["price"], *product["state"]]
        show(f"{plain(product['productIdentifier'])}\t{plain(', '.join(details))}")
    show(f"Sticker packs found: {len(found)}. Install one with: install PACK")
    for warning in answer["warnings"]:
        show_error(warning)


async def cancel(chat, identifier):
    await ask("DELETE", "/v1/downloads/" + quote(identifier, safe=""))


async def send(chat, *words):
    text, sent = [], []
    for word in words:
        if word in shortcuts:
            pack, sticker, emoji = shortcuts[word]
            path = f"/v1/stickers/{quote(pack, safe='')}/{quote(sticker, safe='')}/reference"
            word = f"{emoji} {(await ask('GET', path))['reference']}".strip()
            sent.append({"productIdentifier": pack, "sticker": sticker})
        text.append(word)
    if not sent:
        raise StoreError(f"there is no sticker {' '.join(words)}", "list the stickers with '/stickers list'")
    message = " ".join(text)
    if weechat.string_is_command_char(message):
        message = " " + message  # No pack's emoji may be executed as a command.
    if len(message.encode()) > LONGEST_MESSAGE:
        raise StoreError("the message with the sticker is too long", "send the sticker alone")
    if buffer := buffer_of(chat):
        weechat.command(buffer, message)
        await ask("POST", "/v1/stickers/sent", {"stickers": sent})


async def fetch(chat):
    if chat not in offers:
        raise StoreError("there is no sticker to fetch in this conversation")
    show(shown(await ask("POST", "/v1/stickers/resolve", {"reference": offers[chat]})), chat)


COMMANDS = {"list": list_packs, "search": search, "install": install, "cancel": cancel, "send": send, "fetch": fetch}


def on_command(_, buffer, arguments):
    name, *words = arguments.split() or ["list"]
    chat = weechat.buffer_get_string(buffer, "full_name") if name in ("send", "fetch") else None
    if chat == COMMAND_BUFFER:
        show_error(f"'{name}' needs a conversation", f"use '/stickers {name}' in the buffer of a conversation", chat)
        return weechat.WEECHAT_RC_ERROR
    try:
        command = COMMANDS[name](chat, *words)
    except (KeyError, TypeError):
        show_error(f"'/stickers {arguments}' is unknown or incomplete", "see '/help stickers'", chat)
        return weechat.WEECHAT_RC_ERROR
    if chat is None:
        weechat.buffer_set(buffer_of(None), "display", "1")
    run(with_daemon(command), chat)
    return weechat.WEECHAT_RC_OK


def on_input(_, buffer, text):
    weechat.command(buffer, "/stickers " + text)
    return weechat.WEECHAT_RC_OK


def on_return(_, buffer, command):
    text, chat = (weechat.buffer_get_string(buffer, name) for name in ("input", "full_name"))
    if chat == COMMAND_BUFFER or weechat.string_is_command_char(text) or shortcuts.keys().isdisjoint(text.split(" ")):
        return weechat.WEECHAT_RC_OK
    weechat.buffer_set(buffer, "input", "")
    run(send_input(chat, text), chat)
    return weechat.WEECHAT_RC_OK_EAT


async def send_input(chat, text):
    """Sends a message with shortcuts; where that fails, it returns to the input line."""
    try:
        await with_daemon(send(chat, *text.split(" ")))
    except (StoreError, OSError):
        weechat.buffer_set(buffer_of(chat), "input", text)
        raise


async def read_packs():
    packs[:] = (await ask("GET", "/v1/stickers"))["packs"]
    shortcuts.clear()
    for pack in packs:
        for sticker in pack["stickers"]:
            name = re.sub(r"\s+", "_", plain(sticker["id"]))
            name = name if f":{name}:" not in shortcuts else f"{pack['productIdentifier']}/{name}"
            emoji = plain("".join(sticker["emoji"][:1]))
            shortcuts[f":{name}:"] = (pack["productIdentifier"], sticker["id"], emoji)


async def follow_packs():
    """Reads the installed packs whenever they change."""
    while True:
        try:
            sequence = (await ask("GET", "/v1/snapshot"))["sequence"]
            await read_packs()
            async for event in events(sequence):
                if event["type"] in ("pack", "stickers"):
                    await read_packs()
        except (StoreError, OSError):
            await wait(weechat.hook_timer, SECONDS_TO_RECONNECT * 1000, 0, 1)


def on_completion(names, item, buffer, completion):
    for text in shortcuts if names == "shortcuts" else [pack["productIdentifier"] for pack in packs] + found:
        weechat.hook_completion_list_add(completion, text, 0, weechat.WEECHAT_LIST_POS_END)
    return weechat.WEECHAT_RC_OK


# Stickers in messages.


def on_message(_, buffer, date, tags, is_displayed, is_highlight, prefix, message):
    for reference in set(re.findall(r"\bsticker1~[A-Za-z0-9._~-]+", message)):
        run(show_sticker(weechat.buffer_get_string(buffer, "full_name"), reference))
    return weechat.WEECHAT_RC_OK


async def show_sticker(chat, reference):
    """Shows a sticker in place of its reference; one of a later version remains text."""
    try:
        resolution = await ask("GET", "/v1/stickers/resolve?reference=" + reference)
    except (StoreError, OSError):
        return
    if resolution["state"] == "available":
        offers[chat] = reference
    # Senders put the emoji before the reference, for people without this script.
    if not (resolution["emoji"] and rewrite(chat, f"{resolution['emoji']} {reference}", shown(resolution))):
        rewrite(chat, reference, shown(resolution))


def shown(resolution):
    """What is shown of a sticker in a message: its emoji, and where its image is."""
    text = plain(resolution["emoji"]) or "[sticker]"
    if resolution["sticker"]:
        return f"{text} file://{quote(resolution['sticker']['path'])}"
    if resolution["state"] == "available":
        return f"{text} [a sticker of {localized(resolution['pack']['name'])}; to see it: /stickers fetch]"
    return text


def buffer_of(chat):
    """The buffer of a conversation, empty if it was closed, or the buffer of the stickers."""
    if chat:
        return weechat.buffer_search("==", chat)
    buffer = weechat.buffer_search("python", "stickers")
    if not buffer:
        buffer = weechat.buffer_new("stickers", "on_input", "", "", "")
        weechat.buffer_set(buffer, "title", "Stickers: list, search WORDS, install PACK, cancel PACK; /help stickers")
    return buffer


def show(text, chat=None):
    """Shows a line in a conversation, or in the buffer of the stickers; what is before a tab is its prefix."""
    weechat.prnt_date_tags(buffer_of(chat), 0, "notify_none", text if "\t" in text else "\t" + text)


def show_error(reason, hint=None, chat=None):
    for text in filter(None, [reason, hint and f"hint: {hint}"]):
        show(f"{weechat.prefix('error')}{plain(text)}", chat)


def show_progress(download):
    """Shows the state of a download, all the time in the same line."""
    text = plain(download["reason"] or download["activity"] or download["state"])
    if download["fraction"] is not None:
        text = f"[{'█' * int(20 * download['fraction']):20}] {100 * download['fraction']:3.0f} % {text}"
    if download["secondsLeft"] is not None:
        text += f", {download['secondsLeft']} s left"
    operation, text = download["operation"], f"{plain(download['productIdentifier'])} {text}"
    if operation not in progress or not rewrite(None, progress[operation], text):
        show(text)
    progress[operation] = text
    if download["error"]:
        show_error(download["error"]["message"], download["error"].get("hint"))


def rewrite(chat, old, new):
    """Replaces a text in the last line of a buffer that has it, and returns whether one has it."""
    lines, line, content = map(weechat.hdata_get, ("lines", "line", "line_data"))
    own_lines = weechat.hdata_pointer(weechat.hdata_get("buffer"), buffer_of(chat), "own_lines")
    pointer = own_lines and weechat.hdata_pointer(lines, own_lines, "last_line")
    while pointer:
        data = weechat.hdata_pointer(line, pointer, "data")
        message = weechat.hdata_string(content, data, "message")
        if old in message:
            weechat.hdata_update(content, data, {"message": message.replace(old, new)})
            return True
        pointer = weechat.hdata_pointer(line, pointer, "prev_line")
    return False


def localized(text):
    """One of the languages of a text that may have several."""
    return plain(text if isinstance(text, str) else text.get("en") or next(iter(text.values()), ""))


def plain(text):
    """A text of others without control characters, which WeeChat takes for colours and the ends of lines."""
    return "".join(" " if unicodedata.category(character) == "Cc" else character for character in text)


class StoreError(Exception):
    """What the daemon could not do: the reason, and a hint about what to do next, if there is one."""


async def with_daemon(command):
    """Starts the daemon, if it is not running, and then the command."""
    global socket_path
    code, output, errors = await wait(weechat.hook_process, "storectl daemon start --json", 60_000)
    if code != 0:
        command.close()
        raise StoreError(errors.strip() or "could not start the daemon with 'storectl daemon start'")
    socket_path = json.loads(output)["socket"]
    await command


class Connection:
    """A connection to the daemon, which is read as bytes arrive."""

    def __init__(self):
        self.socket, self.received = socket.socket(socket.AF_UNIX), b""
        self.socket.setblocking(False)
        self.socket.connect(socket_path)  # A Unix socket connects at once, or not at all.

    async def read(self, count=None):
        """Returns a number of bytes, or a line without its end."""
        pause = 5  # In milliseconds: short for an answer, and longer for events.
        while (b"\n" not in self.received) if count is None else (len(self.received) < count):
            try:
                data = self.socket.recv(1 << 16)
            except BlockingIOError:
                await wait(weechat.hook_timer, pause := min(2 * pause, 320), 0, 1)
                continue
            if not data:
                raise ConnectionError("the daemon closed the connection")
            self.received += data
        end = self.received.index(b"\n") + 1 if count is None else count
        data, self.received = self.received[:end], self.received[end:]
        return data.strip() if count is None else data


async def respond(method, path, body=None):
    """Sends a request to the daemon, and generates the parts of its response's body as they arrive."""
    content = json.dumps(body).encode() if body else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: stored\r\nConnection: close\r\nStorectl-Viewer: weechat-{id(progress):x}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    connection = Connection()
    connection.socket.sendall(head.encode() + content)  # Small enough for the socket's buffer.
    status, headers = int((await connection.read()).split()[1]), {}
    while line := await connection.read():
        name, value = line.decode().split(": ", 1)
        headers[name.lower()] = value
    if status >= 400:
        problem = json.loads(await connection.read(int(headers["content-length"])))
        raise StoreError(problem["detail"], problem.get("commandLineHint") or problem.get("hint"))
    if "content-length" in headers:
        yield await connection.read(int(headers["content-length"]))
    # The body ends with an empty chunk (RFC 9112, section 7.1).
    elif headers.get("transfer-encoding") == "chunked":
        while size := int(await connection.read(), 16):
            yield await connection.read(size)
            await connection.read()


async def ask(method, path, body=None):
    """Returns the document of the daemon's response, or None if it is empty."""
    return json.loads(b"".join([part async for part in respond(method, path, body)]) or b"null")


async def events(after, product=None):
    """The events after a sequence number, also across restarts of the daemon; of all products, or of one."""
    while True:
        query, rest = {"after": after} | ({"product": product} if product else {}), b""
        try:
            async for part in respond("GET", "/v1/events?" + urlencode(query)):
                *complete, rest = (rest + part).split(b"\n")
                for event in (json.loads(line[6:]) for line in complete if line.startswith(b"data: ")):
                    after = event["sequence"]
                    yield event
        except OSError:
            pass
        await wait(weechat.hook_timer, SECONDS_TO_RECONNECT * 1000, 0, 1)


waiting = {}  # The coroutines that wait for hooks of WeeChat.


@types.coroutine
def wait(hook, *arguments):
    """Suspends a coroutine until a hook calls back, and returns what it called back with."""
    return (yield hook, arguments)


def run(coroutine, chat=None, result=None):
    """Runs a coroutine until it waits, and shows the error with which it ends."""
    try:
        hook, arguments = coroutine.send(result)
    except StopIteration:
        return
    except StoreError as error:
        return show_error(*error.args, chat=chat)
    except OSError as error:
        return show_error(f"could not reach the daemon: {error}", "see 'storectl daemon status'", chat)
    key = str(id(coroutine))
    waiting[key] = (coroutine, chat)
    hook(*arguments, "on_hook", key)


def on_hook(key, *result):
    coroutine, chat = waiting.pop(key)
    run(coroutine, chat, result[1:])  # A process is called back with its command first.
    return weechat.WEECHAT_RC_OK


weechat.register("stickers", "storectl", "0.1.0", "Apache-2.0", "Stickers of storectl", "", "")
arguments = "list || search [WORDS] || install PACK || cancel PACK || send SHORTCUT [WORDS] || fetch"
completions = "list || search || install|cancel %(sticker_packs) || send %(sticker_shortcuts)|%* || fetch"
weechat.hook_command("stickers", "Find, install and send stickers", arguments, HELP, completions, "on_command", "")
for item in "packs", "shortcuts":
    weechat.hook_completion("sticker_" + item, f"{item} of storectl's stickers", "on_completion", item)
weechat.hook_command_run("/input return", "on_return", "")
weechat.hook_print("", "", "sticker1~", 1, "on_message", "")
run(with_daemon(follow_packs()))
