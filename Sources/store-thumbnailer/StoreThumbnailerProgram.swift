import StoreEmojiFonts
import StoreImages
import StoreModel
import StoreSystem
import StoreThumbnails
import StoreWorker

/// The program that draws thumbnails and contact sheets for the daemon, and reads fonts for `storehouse`, in confined
/// processes; its standard input is a socket.
///
/// It is a program of its own because libvips, with the hundred libraries that it loads, takes longer to start than a small
/// pack to install.
@main
enum StoreThumbnailerProgram {
    static func main() {
        WorkerProgram.main(WorkerService.pictureProgramName) { socket in
            // Before a worker is confined: it can't load a library any more. Each worker has a copy of what is loaded.
            try PictureDrawer.start()
            try WorkerProgram(draw: draw, readFont: { try $0.run(on: $1, output: $2) }).run(socket)
        }
    }

    /// Draws a picture of the images in a file, and writes it to another file.
    private static func draw(_ task: PictureTask, _ images: OpenFile, _ output: OpenFile) throws {
        let drawer = PictureDrawer(limits: ImageLimits())
        let picture: [UInt8]
        switch task {
        case .thumbnail(let pixels, let isAnimated):
            let image = try images.read(count: images.status().size, at: 0)
            picture = try drawer.thumbnail(of: image, pixels: pixels, isAnimated: isAnimated)
        case .contactSheet(let ranges, let pixels, let columns):
            let parts = try ranges.map { range in
                try range.map { try images.read(count: $0.count, at: $0.lowerBound) }
            }
            picture = try drawer.contactSheet(of: parts, pixels: pixels, columns: columns)
        }
        try output.write(picture, at: 0)
    }
}
