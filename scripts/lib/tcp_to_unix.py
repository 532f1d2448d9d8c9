"""Passes what comes to a port of this machine on to a unix socket, for tools that know only TCP.

usage: tcp_to_unix.py SOCKET    prints the port that it listens on
"""

import socket
import socketserver
import sys
import threading


def copy(source, target):
    """Until the end of what `source` says, which `target` is told."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # One side has gone: so shall the other.
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Passing(socketserver.BaseRequestHandler):
    def handle(self):
        with socket.socket(socket.AF_UNIX) as there:
            there.connect(sys.argv[1])
            back = threading.Thread(target=copy, args=(there, self.request))
            back.start()
            copy(self.request, there)
            back.join()


class Bridge(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128


with Bridge(("127.0.0.1", 0), Passing) as bridge:
    print(bridge.server_address[1], flush=True)
    bridge.serve_forever()
