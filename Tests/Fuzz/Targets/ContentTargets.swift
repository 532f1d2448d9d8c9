import StoreImages
import StoreModel
import StoreSystem
import StoreXML

extension FuzzTarget {
    /// Checks an image with the parser of each format, from memory and from a file.
    @Sendable static func image(_ bytes: [UInt8]) throws {
        let reader = ImageReader()
        let head = bytes.prefix(ImageFormat.headLength)
        for format in ImageFormat.allCases {
            let first = verdict { try reader.read(bytes, as: format) }
            requireSame(verdict { try reader.read(bytes, as: format) }, first, "\(format) read twice")
            guard case .taken(let facts) = first else { continue }
            let limits = reader.limits
            require(facts.frames >= 1 && facts.frames <= limits.frames, "\(format): \(facts)")
            require(facts.width >= 0 && facts.height >= 0, "\(format): \(facts)")
            if format != .svg {
                require(facts.width > 0 && facts.width * facts.height <= limits.pixels, "\(format): \(facts)")
            }
        }
        guard let format = ImageFormat(head: head) else { return }
        let file = try Workspace.file(bytes)
        requireSame(
            verdict { try reader.read(file, head: Array(head), size: bytes.count, as: format) },
            verdict { try reader.read(bytes, as: format) }, "\(format) from a file")
    }

    private enum Verdict: Equatable {
        case taken(ImageFacts)
        case refused(String)
    }

    private static func verdict(_ body: () throws -> ImageFacts) -> Verdict {
        do {
            return .taken(try body())
        } catch let error as any CodedError {
            return .refused(error.code.rawValue)
        } catch {
            fatalError("an error without a code: \(error)")
        }
    }

    /// Checks an XML document: elements are nested, and not deeper than permitted.
    @Sendable static func xml(_ bytes: [UInt8]) throws {
        var limits = XMLLimits()
        (limits.depth, limits.elements, limits.attributes, limits.names) = (8, 64, 8, 64)
        for takesDoctype in [false, true] {
            limits.acceptsEmptyDoctype = takesDoctype
            var (depth, deepest, elements) = (0, 0, 0)
            do {
                try XMLReader(limits: limits).read(bytes) { event in
                    switch event {
                    case .start(let element):
                        (depth, elements) = (depth + 1, elements + 1)
                        deepest = max(deepest, depth)
                        require(!element.name.isEmpty && element.line >= 1, "\(element)")
                        require(element.attributes.count <= limits.attributes, "\(element)")
                    case .end:
                        depth -= 1
                        require(depth >= 0, "an end too many")
                    case .text(let text, let line): require(!text.isEmpty && line >= 1, "text in line \(line)")
                    case .instruction(let target, _): require(!target.isEmpty, "an instruction without a name")
                    }
                }
                requireSame(depth, 0, "elements without an end")
                require(elements >= 1, "a document without an element")
            } catch let error as StoreError where error.isXMLError {
                require(error.code.rawValue.hasPrefix("xml."), error.code.rawValue)
            }
            require(deepest <= limits.depth && elements <= limits.elements, "\(elements) elements, \(deepest) deep")
        }
    }
}
