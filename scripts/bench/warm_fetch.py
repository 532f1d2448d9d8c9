"""Peers whose connections are open already when their work begins, as those of a running daemon are."""

import os
import subprocess

from measure import Wrong


class WarmProcess:
    """A process that is ready when this is made, prints "warm" then, and does its work when it is told to."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._expect(b"warm\n")

    def work(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        self._expect(b"done\n")

    def _expect(self, line):
        if self.process.stdout.readline() != line:
            raise Wrong(f"{os.path.basename(self.process.args[0])} ended with {self.process.wait()}")

    def end(self):
        self.process.communicate()


class WarmFetch(WarmProcess):
    """The peer warm-fetch: it has fetched one URL when this is made, and fetches the others when it is told to."""

    def __init__(self, bench, folder, warm, urls, certificate=None, modified=0):
        """
        - warm: the URL that opens the connection.
        - certificate: the file with the certificate to trust; None for plain HTTP.
        - modified: the time in seconds for `If-Modified-Since`; 0 for none.
        """
        super().__init__(bench.peer("warm-fetch"), folder, certificate or "-", str(int(modified)), warm, *urls)
