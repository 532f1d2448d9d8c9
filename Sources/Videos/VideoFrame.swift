import StoreCVPX

/// A decoded frame of a video: red, green, blue and opacity of each pixel.
public struct VideoFrame: Sendable {
    /// The time in seconds from the start at which the frame is shown.
    public let time: Double
    /// The width of the frame in pixels.
    public let width: Int
    /// The height of the frame in pixels.
    public let height: Int
    /// Four bytes for each pixel, row by row.
    public let colours: [UInt8]

    /// Whether nothing of the frame is visible.
    public var isEmpty: Bool {
        for index in stride(from: 3, to: colours.count, by: 4) where colours[index] != 0 { return false }
        return true
    }

    /// Returns the frame with a pixel for each square of a number of pixels: the mean of their colours, each as opaque as it is.
    public func reduced(by factor: Int) -> VideoFrame {
        precondition(factor > 0)
        let (columns, rows) = ((width + factor - 1) / factor, (height + factor - 1) / factor)
        let reduced = [UInt8](unsafeUninitializedCapacity: columns * rows * 4) { buffer, count in
            colours.withUnsafeBufferPointer { pixels in
                for offset in 0..<columns * rows {
                    let (left, top) = (offset % columns * factor, offset / columns * factor)
                    let (right, bottom) = (min(left + factor, width), min(top + factor, height))
                    var (red, green, blue, opacity) = (0, 0, 0, 0)
                    for y in top..<bottom {
                        for pixel in stride(from: (y * width + left) * 4, to: (y * width + right) * 4, by: 4) {
                            let alpha = Int(pixels[pixel + 3])
                            red += Int(pixels[pixel]) * alpha
                            green += Int(pixels[pixel + 1]) * alpha
                            blue += Int(pixels[pixel + 2]) * alpha
                            opacity += alpha
                        }
                    }
                    let (weight, number) = (max(1, opacity), (right - left) * (bottom - top))
                    buffer[4 * offset] = UInt8((red + weight / 2) / weight)
                    buffer[4 * offset + 1] = UInt8((green + weight / 2) / weight)
                    buffer[4 * offset + 2] = UInt8((blue + weight / 2) / weight)
                    buffer[4 * offset + 3] = UInt8((opacity + number / 2) / number)
                }
            }
            count = columns * rows * 4
        }
        return VideoFrame(time: time, width: columns, height: rows, colours: reduced)
    }

    private init(time: Double, width: Int, height: Int, colours: [UInt8]) {
        (self.time, self.width, self.height, self.colours) = (time, width, height, colours)
    }

    /// Converts a decoded picture, which has to be valid during the call.
    ///
    /// - Parameters:
    ///   - opacity: a picture of the same size, whose brightness is the opacity; `nil` if the picture is opaque.
    ///   - matrix: the number of the colours' matrix in ITU-T H.273 that the file states.
    init(_ picture: vpx_image_t, opacity: vpx_image_t?, matrix: Int?, time: Double) {
        self.time = time
        (width, height) = (Int(picture.d_w), Int(picture.d_h))
        let conversion = ColourMatrix(
            picture.cs, stated: matrix, isFullRange: picture.range == VPX_CR_FULL_RANGE)
        let (width, height) = (width, height)
        let (shiftX, shiftY) = (Int(picture.x_chroma_shift), Int(picture.y_chroma_shift))
        colours = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            var offset = 0
            for y in 0..<height {
                let brightness = Row(picture, plane: 0, y)
                let (blue, red) = (Row(picture, plane: 1, y >> shiftY), Row(picture, plane: 2, y >> shiftY))
                let alpha = opacity.map { Row($0, plane: 0, y) }
                for x in 0..<width {
                    let pixel = conversion.colours(brightness[x], blue[x >> shiftX], red[x >> shiftX])
                    buffer[offset] = pixel.red
                    buffer[offset &+ 1] = pixel.green
                    buffer[offset &+ 2] = pixel.blue
                    buffer[offset &+ 3] = if let alpha { UInt8(alpha[x]) } else { 255 }
                    offset &+= 4
                }
            }
            count = offset
        }
    }

    /// The samples of a row of a plane, reduced to 8 bits.
    private struct Row {
        private let bytes: UnsafePointer<UInt8>
        private let isWide: Bool
        private let shift: UInt16

        init(_ picture: vpx_image_t, plane: Int32, _ row: Int) {
            bytes = withUnsafePointer(to: picture) { cvpx_row($0, plane, Int32(row)) }
            isWide = picture.fmt.rawValue & UInt32(VPX_IMG_FMT_HIGHBITDEPTH) != 0
            shift = UInt16(max(8, picture.bit_depth) - 8)
        }

        subscript(x: Int) -> Int32 {
            guard isWide else { return Int32(bytes[x]) }
            let sample = UnsafeRawPointer(bytes).load(fromByteOffset: 2 * x, as: UInt16.self)
            return Int32(min(255, sample >> shift))
        }
    }
}
