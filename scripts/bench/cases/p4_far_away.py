"""What P3 does, with a server that is 100 ms away: every request that waits for another costs a round trip."""

import os

from cases import p3_install
from measure import Contestant, Wrong, run
from servers import Delay, Nginx

WHAT = "install 1,000 packs of 26 KB from a server 100 ms away, HTTP/2 over TLS, nginx's own limits"
# The most that curl runs at once; with fewer it takes longer.
AT_ONCE = 300


def measure_case(bench):
    identifiers = p3_install.names(bench.sized(p3_install.COUNT, 20))
    store = p3_install.make_store(bench, identifiers)
    paths = p3_install.archives(store, len(identifiers))
    public = os.path.join(store, "public")
    with (Nginx(public, bench.place("nginx"), tls=True, own_limits=True) as server, Delay(bench, server) as far):
        curl = ("--http2", "--parallel-max", AT_ONCE, "--cacert", server.certificate)
        series = bench.in_turn([
            p3_install.ours(bench, far.address, identifiers, NETWORK_CERTIFICATES=server.certificate),
            fetch(bench, far.address, paths, server.certificate),
            p3_install.curl(bench, far.address, paths, curl),
            p3_install.curl(bench, far.address, paths, curl, unpacks=False),
            p3_install.aria2(far.address, paths, f"--ca-certificate={server.certificate}"),
        ])
        others = {protocol for _, path, protocol in server.requests() if path.endswith(".zip")} - {"HTTP/2.0"}
        # aria2 knows no HTTP/2.
        if others - {"HTTP/1.1"}:
            raise Wrong(f"the server was asked with {others}")
    bench.compare(series, "ours", "curl -Z, then unpack-all", "install")
    bench.compare(series, "ours: fetch", "curl -Z", "fetch")
    bench.compare(series, "ours", "aria2 -j16, then bsdtar each", None)


def fetch(bench, address, paths, certificate):
    def work(folder):
        run(bench.program("storectl"), "fetch", "--quiet", "--certificates", certificate, "--output", f"{folder}/zips/",
            *(f"{address}{path}" for path in paths))

    def check(folder):
        if len(p3_install.zips(folder)) != len(paths):
            raise Wrong(f"{len(p3_install.zips(folder))} archives came")

    return Contestant("ours: fetch", work, p3_install.make_folders, check)
