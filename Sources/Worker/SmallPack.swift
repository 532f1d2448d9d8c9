import FoundationEssentials

/// A namespace for the sticker pack that a helper unpacks and checks in its warm-up; see ``WorkerProgram``.
enum SmallPack {
    /// A ZIP archive of a compressed `pack.json` and of `1.png`, an image of one pixel.
    static let archive =
        Data(
            base64Encoded: """
                UEsDBBQAAAAIAAAAIVwnqXVFbgAAAH0AAAAJAAAAcGFjay5qc29uLYoxDoMwEAT/srUVya27lHkDorDwOTrAZ2SbNAgpz0iXL/IE\
                DoluZ2Y3xFySb3DWYCk5rEN7BZLGkanAwcNgYgk6a+NhUmkgPpGKp84PlcpZlKzSfalw3YbI8/Wyj0Xe2ijlkTXg+P++6Pd+PwFQ\
                SwMEFAAAAAAAAAAhXBy1DXFEAAAARAAAAAUAAAAxLnBuZ4lQTkcNChoKAAAADUlIRFIAAAABAAAAAQgGAAAAHxXEiQAAAAtJREFU\
                eNpjYAACAAAFAAHp+tzYAAAAAElFTkSuQmCCUEsBAhQDFAAAAAgAAAAhXCepdUVuAAAAfQAAAAkAAAAAAAAAAAAAAIABAAAAAHBh\
                Y2suanNvblBLAQIUAxQAAAAAAAAAIVwctQ1xRAAAAEQAAAAFAAAAAAAAAAAAAACAAZUAAAAxLnBuZ1BLBQYAAAAAAgACAGoAAAD8\
                AAAAAAA=
                """) ?? Data()
}
