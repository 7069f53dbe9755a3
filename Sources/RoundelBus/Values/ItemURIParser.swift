internal import Support

/// Parses `file://` URIs according to RFC 8089, and refuses those that do not identify one item of this machine.
enum ItemURIParser {
    typealias Parsed = Result<String, ItemURIError>

    /// The canonical path of a whole URI.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Parsed {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else {
            return .failure(.notAbsolute)
        }
        guard matches(bytes[..<colon], "file") else { return .failure(.foreignScheme) }
        var start = colon + 1
        guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") else {
            return .failure(.notAbsolute)
        }
        start += 2
        let hostEnd = bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        let host = bytes[start..<(hostEnd ?? bytes.endIndex)]
        guard host.isEmpty || matches(host, "localhost") else { return .failure(.foreignHost) }
        guard let hostEnd, bytes[hostEnd] == UInt8(ascii: "/") else { return .failure(.notAbsolute) }
        return canonicalPath(ofEncoded: UnsafeBufferPointer(rebasing: bytes[hostEnd...]))
    }

    /// The canonical form of a percent-encoded path that starts with a slash.
    static func canonicalPath(ofEncoded bytes: UnsafeBufferPointer<UInt8>) -> Parsed {
        if isCanonicalPath(bytes) { return .success(String(decoding: bytes, as: UTF8.self)) }
        var canonical: [UInt8] = []
        canonical.reserveCapacity(bytes.count)
        var decodedCount = 0
        var segment: [UInt8] = []
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            if part.contains(UInt8(ascii: "?")) { return .failure(.query) }
            if part.contains(UInt8(ascii: "#")) { return .failure(.fragment) }
            segment.removeAll(keepingCapacity: true)
            let part = UnsafeBufferPointer(rebasing: part)
            guard PercentCoding.decode(part, into: &segment) else { return .failure(.badEscape) }
            if let error = append(segment, to: &canonical, &decodedCount) { return .failure(error) }
        }
        return finished(canonical, decodedCount)
    }

    /// The canonical form of an absolute path from the file system.
    static func canonicalPath(ofDecoded bytes: [UInt8]) -> Parsed {
        guard bytes.first == UInt8(ascii: "/") else { return .failure(.notAbsolute) }
        var canonical: [UInt8] = []
        var decodedCount = 0
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            if let error = append(Array(part), to: &canonical, &decodedCount) { return .failure(error) }
        }
        return finished(canonical, decodedCount)
    }

    private static func append(
        _ segment: [UInt8], to canonical: inout [UInt8], _ decodedCount: inout Int
    ) -> ItemURIError? {
        if let error = PathSegment.problem(ofDecoded: segment) { return error }
        decodedCount += segment.count + 1
        canonical.append(UInt8(ascii: "/"))
        for byte in segment {
            PercentCoding.append(byte, to: &canonical)
        }
        return nil
    }

    private static func finished(_ canonical: [UInt8], _ decodedCount: Int) -> Parsed {
        guard decodedCount < ItemURI.pathLimit else { return .failure(.tooLong) }
        return .success(canonical.isEmpty ? "/" : String(decoding: canonical, as: UTF8.self))
    }

    /// Checks in one pass whether a path is already canonical. A short encoding also means a short path; a long one
    /// needs the careful parsing, which counts bytes.
    private static func isCanonicalPath(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 1, bytes.count < ItemURI.pathLimit else { return bytes.count == 1 }
        var index = 0
        var segmentStart = 0
        var onlyDots = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") {
                if index > 0 && (segmentStart == index || (onlyDots && index - segmentStart <= 2)) { return false }
                segmentStart = index + 1
                onlyDots = true
                index += 1
            } else if PercentCoding.isUnreserved(byte) {
                if byte != UInt8(ascii: ".") { onlyDots = false }
                index += 1
            } else if PathSegment.isCanonicalEscape(bytes, at: index) {
                onlyDots = false
                index += 3
            } else {
                return false
            }
        }
        return segmentStart < bytes.count && !(onlyDots && bytes.count - segmentStart <= 2)
    }

    private static func isScheme(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Compares with a lower-case word while ignoring case, as for schemes and hosts.
    private static func matches(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ word: StaticString) -> Bool {
        guard bytes.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in zip(bytes, word).allSatisfy { $0 | 0x20 == $1 } }
    }
}
