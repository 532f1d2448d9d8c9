"""What P3 does, with a server 100 ms away, where each request that waits for another costs a round trip.

Cold is a daemon without a connection to the store, beside a new curl. Warm is a daemon that has just read the catalogue,
beside libcurl in a process with an open connection, and beside the floor of P3, which has open connections too.
"""

import os

from cases import p3_install
from measure import Contestant, Wrong, run
from servers import Delay, Nginx
from warm_fetch import WarmFetch

WHAT = "install 1,000 packs of 26 KB from a server 100 ms away, HTTP/2 over TLS, nginx's own limits; cold and warm"
# The maximum of curl, which takes longer with fewer.
AT_ONCE = 300
COLD, WARM = "curl -Z, then unpack-all", "warm libcurl, then unpack-all"


def measure_case(bench):
    identifiers = p3_install.names(bench.sized(p3_install.COUNT, 20))
    store = p3_install.make_store(bench, identifiers)
    paths = p3_install.archives(store, len(identifiers))
    public = os.path.join(store, "public")
    with (Nginx(public, bench.place("nginx"), tls=True, own_limits=True) as server, Delay(bench, server) as far):
        curl = ("--http2", "--parallel-max", AT_ONCE, "--cacert", server.certificate)
        trust = {"NETWORK_CERTIFICATES": server.certificate}
        series = bench.in_turn([
            p3_install.ours(bench, far.address, identifiers, "ours, cold", is_cold=True, **trust),
            p3_install.ours(bench, far.address, identifiers, "ours, warm", **trust),
            fetch(bench, far.address, paths, server.certificate),
            p3_install.curl(bench, far.address, paths, curl),
            p3_install.curl(bench, far.address, paths, curl, unpacks=False),
            warm(bench, far.address, paths, server.certificate),
            p3_install.aria2(far.address, paths, f"--ca-certificate={server.certificate}"),
            p3_install.Floor(bench, far.address, store, server.certificate).contestant(),
            p3_install.confined(bench, len(identifiers)),
        ])
        others = {protocol for _, path, protocol in server.requests() if path.endswith(".zip")} - {"HTTP/2.0"}
        # aria2 knows no HTTP/2.
        if others - {"HTTP/1.1"}:
            raise Wrong(f"the server was asked with {others}")
    bench.compare(series, "ours, cold", COLD, "cold")
    bench.compare(series, "ours, warm", WARM, "warm")
    bench.compare(series, "ours: fetch", "curl -Z", "fetch")
    bench.compare(series, "ours, cold", "aria2 -j16, then bsdtar each", None)
    bench.compare(series, "ours, warm", p3_install.FLOOR, None)
    # Nothing can be faster than the transfers alone, or than the confined processes alone.
    bench.compare(series, "ours, cold", "curl -Z", None)
    bench.compare(series, "ours, cold", p3_install.CONFINED, None)


def fetch(bench, address, paths, certificate):
    def work(folder):
        run(bench.program("storectl"), "fetch", "--quiet", "--certificates", certificate, "--output", f"{folder}/zips/",
            *(f"{address}{path}" for path in paths))

    return Contestant("ours: fetch", work, p3_install.make_folders, p3_install.all_fetched(len(paths)))


def warm(bench, address, paths, certificate):
    processes = {}

    def before(folder):
        p3_install.make_folders(folder)
        processes[folder] = WarmFetch(
            bench, f"{folder}/zips", f"{address}catalogue.json", [address + path for path in paths], certificate)
        bench.ends.callback(processes[folder].end)

    def work(folder):
        processes[folder].work()
        p3_install.unpack_all(bench, folder)

    return Contestant(WARM, work, before, p3_install.all_unpacked(len(paths)))
