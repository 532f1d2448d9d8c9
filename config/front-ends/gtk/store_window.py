#!/usr/bin/python3
"""A window with the products of storectl's stores, drawn with GTK 4 in the skin that is in use.

Everything in the window follows the daemon's events: installations by other programs, new catalogues, another skin.
"""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

# Without the borders of GTK's theme, whose colours are not the skin's.
STYLE = "button, trough, progress { border-color: transparent; }\n"
ENDED = ("Finished", "Cancelled", "Failed")
CHANGES_OF_PRODUCTS = ("pack", "catalogue", "store", "purchase", "updates")
# The names of buttons in the skin, and their titles, for the states of products.
BUTTONS = {
    "Downloading": ("button_store_downloading", "Cancel"),
    "Updatable": ("button_store_updatable", "Update"),
    "In Use": ("button_store_in_use", "In Use"),
    "Downloaded": ("button_store_downloaded", "Remove"),
    "Withdrawn": ("button_store_withdrawn", "Withdrawn"),
    "Purchased": ("button_store_purchased", "Install"),
    "Free": ("button_store_free", "Install"),
    "Not Purchased": ("button_store_price", "Buy"),
}


def later(function, *arguments):
    """Calls a function in the main loop, once."""

    def call():
        function(*arguments)
        return GLib.SOURCE_REMOVE

    GLib.idle_add(call)


def named(widget, name):
    """Gives a widget a name for screen readers."""
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])


def column(*widgets):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
    for widget in widgets:
        box.append(widget)
    return box


class StoreError(Exception):
    """What the daemon could not do: the reason, and on the next line a hint about what to do, if there is one."""

    def __init__(self, reason, hint=None):
        super().__init__(f"{reason}\nhint: {hint}" if hint else reason)


class Daemon:
    """storectl's daemon, to which requests are sent from threads, so that the window never waits."""

    def __init__(self):
        self.requests, self.path, self.name = ThreadPoolExecutor(4), "", f"window-{time.time_ns()}"

    def connect(self, start):
        """Connects to the daemon, and starts it, if nothing listens and `start` is true."""
        connection = http.client.HTTPConnection("stored")
        connection.sock = socket.socket(socket.AF_UNIX)
        try:
            connection.sock.connect(self.path)
        except OSError:
            if not start:
                raise ConnectionRefusedError("the daemon is not running") from None
            started = subprocess.run(["storectl", "daemon", "start", "--json"], capture_output=True, text=True)
            if started.returncode != 0:
                raise StoreError(started.stderr.strip()) from None
            self.path = json.loads(started.stdout)["socket"]
            connection.sock.connect(self.path)
        return connection

    def respond(self, method, path, body=None, start=True):
        connection = self.connect(start)
        # The window shows how installations end: the desktop needs no notification.
        headers = {"Storectl-Viewer": self.name} | ({"Content-Type": "application/json"} if body else {})
        connection.request(method, path, json.dumps(body) if body else None, headers)
        response = connection.getresponse()
        if response.status >= 400:
            problem = json.load(response)
            raise StoreError(problem["detail"], problem.get("commandLineHint") or problem.get("hint"))
        return response

    def ask(self, method, path, body=None, start=True):
        """Returns the content of the daemon's response: a document, or a text such as a style sheet."""
        response = self.respond(method, path, body, start)
        content = response.read().decode()
        return json.loads(content) if response.getheader("Content-Type") == "application/json" else content

    def send(self, then, fail, *request, start=True):
        """Sends a request, and calls `then` with the content of the response, or `fail` with the error."""

        def work():
            try:
                later(then, self.ask(*request, start=start))
            except (StoreError, OSError, http.client.HTTPException) as error:
                later(fail, error)

        self.requests.submit(work)

    def follow(self, reset, on_event, fail):
        """Calls `reset` to read everything, and then `on_event` for every change, across restarts of the daemon.

        The daemon is started for the first connection only: one that was stopped later remains stopped.
        """

        def work():
            after, start = None, True
            while True:
                try:
                    if after is None:
                        after = self.ask("GET", "/v1/snapshot", start=start)["sequence"]
                    lines = self.respond("GET", f"/v1/events?after={after}", start=start)
                    start = False
                    # Each time, because what the last events asked for can't be read while the daemon is stopped.
                    later(reset)
                    for line in lines:
                        if line.startswith(b"data: "):
                            event = json.loads(line[6:])
                            after = event["sequence"]
                            later(on_event, event)
                except StoreError as error:
                    after = None  # For example, the events have expired.
                    later(fail, error)
                except (OSError, http.client.HTTPException) as error:
                    if start:  # Nothing is shown yet, for example because `storectl` is not installed.
                        later(fail, error)
                    # Otherwise the daemon ended.
                time.sleep(1)

        threading.Thread(target=work, daemon=True).start()


class Row(Gtk.ListBoxRow):
    """One product: its name, what is known about it, the progress of its download, and a button for its state."""

    def __init__(self, window, product):
        super().__init__(name="store_row", activatable=False)
        self.window, self.product, self.download = window, product, None
        self.identifier = product["productIdentifier"]
        self.title = Gtk.Label(name="store_row_name", xalign=0, hexpand=True, ellipsize=3)
        self.detail = Gtk.Label(name="store_row_detail", xalign=0, wrap=True)
        self.progress = Gtk.ProgressBar(name="store_row_progress", visible=False)
        self.note = Gtk.Label(name="store_row_detail", xalign=0, wrap=True, visible=False)
        self.button = Gtk.Button(valign=Gtk.Align.CENTER)
        self.button.connect("clicked", lambda _: self.act())
        box = Gtk.Box(spacing=12)
        box.append(column(self.title, self.detail, self.progress, self.note))
        box.append(self.button)
        self.set_child(box)
        self.show_product()

    @property
    def state(self):
        return "Downloading" if self.download else next(state for state in BUTTONS if state in self.product["state"])

    def show_product(self):
        """Shows what is known of the product, which another catalogue may change, and its state."""
        name, size = self.product["name"], self.product["size"]
        facts = [self.product["publisher"], self.product["kind"], size is not None and GLib.format_size(size),
                 self.product["defect"]]
        self.title.set_label(name)
        self.detail.set_label(" · ".join(filter(None, facts)))
        named(self, name)
        named(self.progress, f"Progress of {name}")
        self.show_state()

    def show_state(self):
        """Shows the state of the product, or of its download, if there is one."""
        style, title = BUTTONS[self.state]
        if self.state == "Not Purchased":
            title = self.product["price"]
        elif self.state == "Downloaded" and self.product["kind"] == "skin":
            title = "Use"
        self.button.set_name(style)
        self.button.set_label(title)
        self.button.set_sensitive(not self.product["defect"] and self.state not in ("In Use", "Withdrawn"))
        named(self.button, f"{title} {self.product['name']}")
        self.progress.set_visible(bool(self.download))
        if self.download:
            fraction, left = self.download["fraction"], self.download["secondsLeft"]
            self.progress.set_fraction(fraction or 0)
            numbers = [fraction is not None and f"{fraction:.0%}", left is not None and f"{left} s left"]
            self.say(", ".join(filter(None, [self.download["reason"] or self.download["activity"], *numbers])))

    def say(self, text, style="store_row_detail"):
        self.note.set_name(style)
        self.note.set_label(text)
        self.note.set_visible(bool(text))

    def act(self):
        """Does what the button says."""
        path = quote(self.identifier, safe="")
        request = {
            "Downloading": ("DELETE", f"/v1/downloads/{path}"),
            "Downloaded": ("DELETE", f"/v1/packs/{path}"),
            "Updatable": ("POST", "/v1/updates", {"productIdentifiers": [self.identifier]}),
        }.get(self.state, ("POST", "/v1/downloads", {
            "productIdentifier": self.identifier, "store": self.product["store"]}))
        if self.button.get_label() == "Use":
            request = ("PUT", "/v1/skin", {"identifier": self.identifier})
        self.say("")
        self.window.daemon.send(lambda _: None, self.fail, *request)

    def fail(self, error):
        self.say(str(error), "store_row_error")

    def follow(self, download):
        """Shows an event of the product's download."""
        self.download = None if download["state"] in ENDED else download
        self.say("")
        self.show_state()
        if error := download["error"]:
            self.fail(StoreError(error["message"], error.get("hint")))


class StoreWindow(Gtk.ApplicationWindow):
    """The products of all stores, with a field to search them."""

    def __init__(self, application):
        super().__init__(application=application, title="Store", name="chat_window")
        self.set_default_size(560, 640)
        self.daemon, self.rows, self.downloads = Daemon(), {}, {}
        self.style, priority = Gtk.CssProvider(), Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
        Gtk.StyleContext.add_provider_for_display(self.get_display(), self.style, priority)
        margins = {f"margin_{side}": 12 for side in ("start", "end", "top", "bottom")}
        self.field = Gtk.SearchEntry(name="conversation_search", **margins)
        self.field.connect("search-changed", lambda _: self.read_products(start=True))
        named(self.field, "Search products")
        self.message = Gtk.Label(name="store_row_detail", wrap=True, margin_bottom=8, label="Loading …")
        self.list = Gtk.ListBox(name="store_list", selection_mode=Gtk.SelectionMode.NONE)
        named(self.list, "Products")
        self.set_child(column(self.field, self.message, Gtk.ScrolledWindow(child=self.list, vexpand=True)))
        self.daemon.follow(self.read_everything, self.on_event, self.fail)

    def read_everything(self):
        self.read_products()
        self.read_skin()
        self.read(self.show_downloads, "/v1/downloads")

    def read(self, then, path, start=False):
        """Reads what the window shows, for which a stopped daemon is started only if the user asked for it."""
        self.daemon.send(then, self.fail, "GET", path, start=start)

    def show_downloads(self, answer):
        self.downloads.clear()
        for download in answer["downloads"]:
            self.on_download(download)

    def read_products(self, start=False):
        words = self.field.get_text()

        def show(answer):
            if words == self.field.get_text():  # Nothing was typed since.
                self.show_products(answer)

        query = urlencode({"words": words, "limit": 200})
        self.read(show, "/v1/products?" + query, start)

    def show_products(self, answer):
        """Shows products; the rows of those that are shown already remain, with the focus."""
        products = {(one["store"], one["productIdentifier"]): one for one in answer["products"]}
        if list(products) != list(self.rows):
            while row := self.list.get_first_child():
                self.list.remove(row)
            self.rows = {key: Row(self, product) for key, product in products.items()}
            for row in self.rows.values():
                self.list.append(row)
        for key, row in self.rows.items():
            row.product, row.download = products[key], self.downloads.get(key)
            row.show_product()
        count = f"{'the first ' if 'next' in answer else ''}{len(products)} product{'s' * (len(products) != 1)}"
        self.message.set_label("\n".join([count, *answer["warnings"]]))

    def read_skin(self):
        def show(use):
            if use["skin"] is None:
                return self.fail(use["problem"]["message"])
            path = f"/v1/skins/{quote(use['skin']['identifier'], safe='')}/gtk"
            self.read(lambda css: self.style.load_from_data((STYLE + css).encode()), path)

        self.read(show, "/v1/skin")

    def on_event(self, event):
        if event["type"] == "download":
            self.on_download(event)
        elif event["type"] == "skin":
            self.read_skin()
        if event["type"] in CHANGES_OF_PRODUCTS or event.get("state") in ENDED:
            self.read_products()

    def on_download(self, download):
        key = (download["store"], download["productIdentifier"])  # Several stores may have a product.
        self.downloads[key] = None if download["state"] in ENDED else download
        if row := self.rows.get(key):
            row.follow(download)

    def fail(self, error):
        self.message.set_label(str(error))


if __name__ == "__main__":
    application = Gtk.Application(application_id="org.example.store")
    application.connect("activate", lambda application: StoreWindow(application).present())
    sys.exit(application.run(sys.argv))
