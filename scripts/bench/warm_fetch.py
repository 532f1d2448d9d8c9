"""The peer warm-fetch: libcurl in a process whose connections are open already, as those of a running daemon are."""

import subprocess

from measure import Wrong


class WarmFetch:
    """A process that has fetched one URL when this is made, and fetches the others when it is told to."""

    def __init__(self, bench, folder, warm, urls, certificate=None, modified=0):
        """
        - warm: the URL that opens the connection.
        - certificate: the file with the certificate to trust; None for plain HTTP.
        - modified: the time in seconds for `If-Modified-Since`; 0 for none.
        """
        self.process = subprocess.Popen(
            [bench.peer("warm-fetch"), folder, certificate or "-", str(int(modified)), warm, *urls],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._expect(b"warm\n")

    def fetch(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        self._expect(b"done\n")

    def _expect(self, line):
        if self.process.stdout.readline() != line:
            raise Wrong(f"warm-fetch ended with {self.process.wait()}")

    def end(self):
        self.process.communicate()
