import SyncCore

/// The stored form of a version: a byte of flags, size and time as little-endian 64-bit numbers, the hash if there is
/// one, then the tag and the identity, each after its length in LEB128, and two bytes of permissions if there are any.
/// Program versions that did not keep permissions wrote none, and ignore them.
///
/// The identity of a row in a side's tree has a column of its own and is left out here.
enum VersionCoding {
    private static let racy: UInt8 = 1
    private static let hashed: UInt8 = 2
    private static let permitted: UInt8 = 4
    private static let remoteAlone: UInt8 = 8
    private static let hashLength = 32

    static func encode(_ version: Version, withIdentity: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        let hash = version.hash.flatMap { $0.bytes.count == hashLength ? $0.bytes : nil }
        bytes.append(
            (version.isRacy ? racy : 0) | (hash == nil ? 0 : hashed) | (version.permissions == nil ? 0 : permitted)
                | (version.residence == .here ? 0 : remoteAlone))
        append(version.size, to: &bytes)
        append(version.modified, to: &bytes)
        if let hash { bytes += hash }
        append(version.tag, to: &bytes)
        if withIdentity { append(version.identity, to: &bytes) }
        if let bits = version.permissions?.bits { bytes += [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)] }
        return bytes
    }

    /// Decodes the version in `bytes`; nil if they are invalid.
    ///
    /// - Parameter identity: Nil if the bytes contain the identity as well.
    static func decode(_ bytes: UnsafeRawBufferPointer, identity: Token?) -> Version? {
        var rest = bytes[...]
        guard let flags = rest.popFirst(), let size = number(&rest), let modified = number(&rest) else { return nil }
        var hash: ContentHash?
        if flags & hashed != 0 {
            guard rest.count >= hashLength else { return nil }
            hash = ContentHash(Array(rest.prefix(hashLength)))
            rest = rest.dropFirst(hashLength)
        }
        guard let tag = token(&rest), let own = identity ?? token(&rest) else { return nil }
        var permissions: Permissions?
        if flags & permitted != 0 {
            guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
            permissions = Permissions(UInt16(high) << 8 | UInt16(low))
        }
        return Version(
            identity: own, tag: tag, size: size, modified: modified, isRacy: flags & racy != 0, hash: hash,
            permissions: permissions, residence: flags & remoteAlone == 0 ? .here : .remoteAlone)
    }

    /// Whether these bytes, without an identity, hold a version that is not racy and equals this one, which is not racy
    /// either. A hash that this one does not have is not compared.
    static func isUnchanged(_ bytes: UnsafeRawBufferPointer, as seen: Version) -> Bool {
        let start = 17
        guard bytes.count >= start, bytes[0] & racy == 0, !seen.isRacy,
            (bytes[0] & remoteAlone == 0) == (seen.residence == .here),
            bytes.loadUnaligned(fromByteOffset: 1, as: Int64.self) == seen.size.littleEndian,
            bytes.loadUnaligned(fromByteOffset: 9, as: Int64.self) == seen.modified.littleEndian
        else { return false }
        let hash = bytes[start...].prefix(bytes[0] & hashed != 0 ? hashLength : 0)
        if let told = seen.hash, !hash.elementsEqual(told.bytes) { return false }
        var rest = bytes[...].dropFirst(start + hash.count)
        guard takes(seen.tag, from: &rest) else { return false }
        guard let bits = seen.permissions?.bits else { return true }
        return bytes[0] & permitted != 0 && rest.popFirst() == UInt8(truncatingIfNeeded: bits)
            && rest.popFirst() == UInt8(bits >> 8)
    }

    /// Whether this token comes next.
    private static func takes(_ token: Token, from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        var length = token.bytes.count
        while length >= 0x80 {
            guard rest.popFirst() == UInt8(length & 0x7F) | 0x80 else { return false }
            length >>= 7
        }
        guard rest.popFirst() == UInt8(length), rest.count >= token.bytes.count else { return false }
        defer { rest = rest.dropFirst(token.bytes.count) }
        return rest.prefix(token.bytes.count).elementsEqual(token.bytes)
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    private static func append(_ token: Token, to bytes: inout [UInt8]) {
        var length = token.bytes.count
        while length >= 0x80 {
            bytes.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes += token.bytes
    }

    private static func number(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return Int64(littleEndian: UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: Int64.self))
    }

    private static func token(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Token? {
        var length = 0
        var shift = 0
        while true {
            guard shift < 35, let byte = rest.popFirst() else { return nil }
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { break }
            shift += 7
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Token(Array(rest.prefix(length)))
    }
}
