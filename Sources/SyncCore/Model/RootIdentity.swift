/// Distinguishes a folder's root from another directory at the same path: a random mark that moves with the folder, and
/// the identity of the directory in its file system.
package struct RootIdentity: Hashable, Sendable {
    /// How two roots are related.
    package enum Likeness: Hashable, Sendable {
        /// It is the same directory.
        case same
        /// It has the same mark but is another directory: the folder was copied, or moved to another file system.
        case copy
    }

    /// 32 hexadecimal digits; nil for a folder without a mark.
    package var mark: String?
    /// The directory's number in its file system.
    package var inode: UInt64
    /// When it was created, in nanoseconds since 1970; 0 if the file system does not report it.
    package var born: Int64
    /// Whether the file system keeps inode numbers. If it does not, only the mark counts.
    package var keepsInode: Bool

    /// An identity.
    package init(mark: String?, inode: UInt64, born: Int64, keepsInode: Bool) {
        self.mark = mark
        self.inode = inode
        self.born = born
        self.keepsInode = keepsInode
    }

    private static let markLength = 32
    private static let placeLength = 16

    /// The identity in a token; nil if the token contains none.
    package init?(_ token: Token) {
        let bytes = token.bytes
        guard bytes.count == Self.placeLength || bytes.count == Self.markLength + Self.placeLength + 1 else {
            return nil
        }
        let isMarked = bytes.count > Self.placeLength
        func number(at start: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
        }
        let start = isMarked ? Self.markLength : 0
        mark = isMarked ? String(decoding: bytes[..<start], as: UTF8.self) : nil
        inode = number(at: start)
        born = Int64(bitPattern: number(at: start + 8))
        keepsInode = isMarked ? bytes[bytes.count - 1] != 0 : true
    }

    /// The identity as a side reports it and the store keeps it. Without a mark, it has the format from before marks
    /// existed.
    package var token: Token {
        let numbers = [inode, UInt64(bitPattern: born)]
        let place = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) } }
        guard let mark else { return Token(place) }
        return Token(Array(mark.utf8) + place + [keepsInode ? 1 : 0])
    }

    /// How the root that was found is related to the known one; nil if it is a different one.
    package static func compare(known: Token, found: Token) -> Likeness? {
        if known == found { return .same }
        guard let known = RootIdentity(known), let found = RootIdentity(found) else { return nil }
        // A folder from before marks existed gets one.
        guard let mark = known.mark else { return known.isSamePlace(as: found) ? .same : nil }
        if mark == found.mark { return known.isSamePlace(as: found) || !found.keepsInode ? .same : .copy }
        // A user who cleans up may delete the mark. Only a place that no other directory ever has then tells that it
        // is the same directory: behind a network, and where numbers or times of creation are made up, nothing does.
        return known.isLastingPlace && found.isLastingPlace && known.isSamePlace(as: found) ? .same : nil
    }

    /// The known root, which the user says the found one to be: it keeps its mark if the found one has none.
    package static func adopted(known: Token, found: Token) -> Token {
        guard let known = RootIdentity(known), var identity = RootIdentity(found) else { return found }
        identity.mark = identity.mark ?? known.mark
        return identity.token
    }

    /// Whether the found root may get the mark of the known one: it is the known one, or is at its place without a mark.
    package static func mayMark(known: Token, found: Token) -> Bool {
        if compare(known: known, found: found) == .same { return true }
        guard let known = RootIdentity(known), let found = RootIdentity(found) else { return false }
        return found.mark == nil && known.isSamePlace(as: found)
    }

    private func isSamePlace(as other: RootIdentity) -> Bool { inode == other.inode && born == other.born }

    /// Whether no other directory ever has this place.
    private var isLastingPlace: Bool { keepsInode && born != 0 }
}
