internal import CExpat

/// Parses a multistatus as it arrives, and returns the items as soon as they are complete. Nothing may be concluded
/// from a listing before ``finish()``: until then, one that is truncated or of something else looks valid.
///
/// Must not be used from several threads at once.
package final class MultistatusParser {
    private let parser: XML_Parser
    private var reader: MultistatusReader
    private var mistake: MultistatusMistake?

    /// Separates namespace and name in the parser's output: neither can contain it.
    private static let separator: UInt8 = 0x0A

    /// A parser that keeps these properties and ignores others; nil if there is not enough memory.
    package init?(wanted: Set<PropertyName>) {
        guard let parser = XML_ParserCreateNS(nil, XML_Char(Self.separator)) else { return nil }
        self.parser = parser
        reader = MultistatusReader(wanted: wanted)
        // The pointer is used only during calls of this object's methods below.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, _ in
                guard let data, let name else { return }
                let parser = Unmanaged<MultistatusParser>.fromOpaque(data).takeUnretainedValue()
                parser.note { reader throws(MultistatusMistake) in
                    try reader.begin(MultistatusParser.name(UnsafePointer(name)))
                }
            },
            { data, _ in
                guard let data else { return }
                let parser = Unmanaged<MultistatusParser>.fromOpaque(data).takeUnretainedValue()
                parser.note { reader throws(MultistatusMistake) in try reader.endElement() }
            })
        XML_SetCharacterDataHandler(parser) { data, text, length in
            guard let data, let text, length > 0 else { return }
            let parser = Unmanaged<MultistatusParser>.fromOpaque(data).takeUnretainedValue()
            text.withMemoryRebound(to: UInt8.self, capacity: Int(length)) { bytes in
                parser.note { reader throws(MultistatusMistake) in
                    try reader.add(UnsafeBufferPointer(start: bytes, count: Int(length)))
                }
            }
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            guard let data else { return }
            let parser = Unmanaged<MultistatusParser>.fromOpaque(data).takeUnretainedValue()
            parser.note { _ throws(MultistatusMistake) in throw .documentType }
        }
    }

    deinit { XML_ParserFree(parser) }

    private func note(_ step: (inout MultistatusReader) throws(MultistatusMistake) -> Void) {
        // After it was stopped, the parser may still report the end of elements.
        guard mistake == nil else { return }
        do throws(MultistatusMistake) { try step(&reader) } catch {
            mistake = error
            XML_StopParser(parser, XML_FALSE)
        }
    }

    /// The name of an element from the parser: its namespace, if any, before the separator.
    private static func name(_ text: UnsafePointer<CChar>) -> PropertyName {
        let parts = String(cString: text).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2
            ? PropertyName(namespace: String(parts[0]), name: String(parts[1]))
            : PropertyName(namespace: "", name: String(parts[0]))
    }

    /// Parses more bytes; returns the items that are complete now.
    package func read(_ bytes: some Collection<UInt8>) throws(MultistatusMistake) -> [MultistatusResponse] {
        try parse(Array(bytes), isLast: false)
        return reader.takeFinished()
    }

    /// Ends the document; returns the last items, or fails if the document is incomplete.
    package func finish() throws(MultistatusMistake) -> [MultistatusResponse] {
        try parse([], isLast: true)
        return reader.takeFinished()
    }

    private func parse(_ bytes: [UInt8], isLast: Bool) throws(MultistatusMistake) {
        var rest = bytes[...]
        repeat {
            // The parser counts with `int`.
            let part = rest.prefix(1 << 20)
            rest = rest.dropFirst(part.count)
            let status = part.withUnsafeBytes { part in
                XML_Parse(
                    parser, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count),
                    isLast && rest.isEmpty ? 1 : 0)
            }
            if let mistake { throw mistake }
            guard status == XML_STATUS_OK else { throw .malformed }
        } while !rest.isEmpty
    }
}
