/// Assembles the items of a multistatus from the elements that a parser finds. Pure, and bounded: a server determines
/// neither the amount kept nor the depth.
struct MultistatusReader {
    /// The deepest nesting of elements.
    static let depthLimit = 32
    /// The most bytes of text kept for one item.
    static let textLimit = 64 << 10
    /// The most elements examined for one item, including unknown properties.
    static let elementLimit = 4_096

    /// The kind of the innermost open element.
    private enum Place {
        case document, multistatus, response, reference, status, propstat, propstatStatus, properties
        case property(PropertyName)
        /// Something that was not requested; its name does not matter.
        case other
    }

    private let wanted: Set<PropertyName>
    private var places: [Place] = [.document]
    private var response: MultistatusResponse?
    private var hasReference = false
    /// The contents of a `propstat` until its status is known, which may come last.
    private var found: [PropertyName: MultistatusResponse.Value] = [:]
    private var text: [UInt8] = []
    private var kept = 0
    private var elements = 0
    private var propstatStatus: Int?
    private var finished: [MultistatusResponse] = []

    /// - Parameter wanted: The properties to keep; others are ignored.
    init(wanted: Set<PropertyName>) {
        self.wanted = wanted
    }

    /// Takes the items that were completed since the last call.
    mutating func takeFinished() -> [MultistatusResponse] {
        defer { finished.removeAll(keepingCapacity: true) }
        return finished
    }

    /// An element begins.
    mutating func begin(_ name: PropertyName) throws(MultistatusMistake) {
        guard places.count <= Self.depthLimit else { throw .tooDeep }
        if response != nil {
            elements += 1
            guard elements <= Self.elementLimit else { throw .tooLarge }
        }
        places.append(try place(of: name))
    }

    private mutating func place(of name: PropertyName) throws(MultistatusMistake) -> Place {
        switch places.last ?? .document {
        case .document:
            guard name == .dav("multistatus") else { throw .foreign }
            return .multistatus
        case .multistatus:
            guard name == .dav("response") else { return .other }
            (response, hasReference, kept, elements) = (MultistatusResponse(), false, 0, 0)
            return .response
        case .response:
            switch name {
            case .dav("href"):
                // In responses to other requests than this program's, several addresses share one status.
                guard !hasReference else { throw .noReference }
                text = []
                return .reference
            case .dav("status"):
                text = []
                return .status
            case .dav("propstat"):
                (found, propstatStatus) = ([:], nil)
                return .propstat
            default: return .other
            }
        case .propstat:
            switch name {
            case .dav("prop"): return .properties
            case .dav("status"):
                text = []
                return .propstatStatus
            default: return .other
            }
        case .properties:
            guard wanted.contains(name) else { return .other }
            found[name] = MultistatusResponse.Value()
            return .property(name)
        case .property(let property):
            found[property]?.elements.append(name)
            // Its text counts as the property's: checksums are one level deeper.
            return .property(property)
        case .reference, .status, .propstatStatus, .other: return .other
        }
    }

    /// Adds text to the innermost open element.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) throws(MultistatusMistake) {
        switch places.last ?? .document {
        case .reference, .status, .propstatStatus:
            try count(bytes.count)
            text += bytes
        case .property(let name):
            try count(bytes.count)
            found[name]?.text += bytes
        case .document, .multistatus, .response, .propstat, .properties, .other: break
        }
    }

    private mutating func count(_ bytes: Int) throws(MultistatusMistake) {
        kept += bytes
        guard kept <= Self.textLimit else { throw .tooLarge }
    }

    /// The innermost open element ends.
    mutating func endElement() throws(MultistatusMistake) {
        switch places.popLast() ?? .document {
        case .response:
            guard hasReference, let response else { throw .noReference }
            finished.append(response)
            self.response = nil
        case .reference:
            guard let reference = String(validating: text.withoutBlanks(), as: UTF8.self), !reference.isEmpty else {
                throw .noReference
            }
            response?.reference = reference
            hasReference = true
        case .status:
            let status = statusCode
            response?.status = status
        case .propstatStatus: propstatStatus = statusCode
        case .propstat:
            // Without a status, nothing is known of them.
            if propstatStatus == 200 { response?.properties.merge(found) { _, new in new } }
        case .document, .multistatus, .properties, .property, .other: break
        }
    }

    /// The code in `HTTP/1.1 200 OK`; nil if it is missing.
    private var statusCode: Int? {
        let words = text.withoutBlanks().split(separator: 0x20)
        guard words.count >= 2, words[0].starts(with: Array("HTTP/".utf8)), words[1].count == 3 else { return nil }
        return Int(String(decoding: words[1], as: UTF8.self))
    }
}
