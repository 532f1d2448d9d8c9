"""A headless Chromium of Debian, controlled with the DevTools protocol through two pipes."""

import fcntl
import json
import os
import subprocess

from measure import Wrong

PROGRAM = "/usr/bin/chromium"


class Browser:
    """Runs for as long as it is entered, with a profile of its own, which has nothing of a visit before."""

    def __init__(self, place):
        self.place, self.number, self.unread, self.events = place, 0, b"", []

    def __enter__(self):
        os.makedirs(self.place, exist_ok=True)
        pipes = [os.pipe(), os.pipe()]
        # The browser reads commands from descriptor 3 and responds on 4; none of the pipes may have these numbers.
        read, write = (fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (pipes[0][0], pipes[1][1]))
        command = (f"exec {PROGRAM} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
                   f"--user-data-dir='{self.place}/profile' --remote-debugging-pipe --window-size=1280,1000 "
                   f"3<&{read} 4>&{write}")
        with open(os.path.join(self.place, "errors"), "wb") as errors:
            self.process = subprocess.Popen(
                ["/bin/bash", "-c", command], pass_fds=(read, write), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors)
        for end in (pipes[0][0], pipes[1][1], read, write):
            os.close(end)
        self.commands, self.answers = pipes[0][1], pipes[1][0]
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)

    session = None

    def call(self, method, **parameters):
        """Sends a command, and returns its result; events that come before it are kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise Wrong(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def message(self):
        while b"\0" not in self.unread:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise Wrong("Chromium has ended")
            self.unread += piece
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def value(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise Wrong(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, condition):
        """Waits in the page until an expression is true there."""
        self.value(f"""new Promise((done) => {{
            const look = () => ({condition}) ? done() : setTimeout(look, 5);
            look();
        }})""")

    def open(self, address):
        """Loads a page, and waits until it is complete."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def press(self, character):
        """Presses and releases the key of a character."""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=character, text=character)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=character)

    def bytes_received(self):
        """The bytes of all responses since the page was opened, header fields included, by the kind of resource."""
        kinds, sizes = {}, {}
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Network.responseReceived":
                kinds[parameters["requestId"]] = parameters["type"]
            elif event.get("method") == "Network.loadingFinished":
                kind = kinds.get(parameters["requestId"], "Other")
                sizes[kind] = sizes.get(kind, 0) + parameters["encodedDataLength"]
        return sizes
