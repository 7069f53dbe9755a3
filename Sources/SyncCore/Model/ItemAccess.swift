/// What the remote lets its user do with an item, and what it tells about who else has to do with it. Only servers that
/// know several people tell it.
package struct ItemAccess: Hashable, Sendable {
    /// What may be done, and what is known. The numbers are stored.
    package struct Facts: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The contents of the file may be replaced.
        package static let write = Facts(rawValue: 1)
        /// Files may be put into the directory.
        package static let addFiles = Facts(rawValue: 2)
        /// Directories may be made in the directory.
        package static let addDirectories = Facts(rawValue: 4)
        /// The item may be deleted.
        package static let delete = Facts(rawValue: 8)
        /// The item may get another name.
        package static let rename = Facts(rawValue: 16)
        /// The item may be moved to another directory.
        package static let move = Facts(rawValue: 32)
        /// The item may be shared with others.
        package static let share = Facts(rawValue: 64)
        /// The item is shared, by the user or with the user.
        package static let isShared = Facts(rawValue: 256)
        /// Somebody else has locked the item.
        package static let isLocked = Facts(rawValue: 512)
        /// The user has locked the item.
        package static let isOwnLock = Facts(rawValue: 1_024)

        /// Everything that can be allowed.
        package static let all: Facts = [.write, .addFiles, .addDirectories, .delete, .rename, .move, .share]
    }

    /// What may be done, and what is known.
    package var facts: Facts
    /// Who shares it with the user, as people call them; "" if nobody does, or it is not known.
    package var sharedBy: String
    /// Who has locked it, as people call them; "" if nobody has, or it is not known.
    package var lockedBy: String

    package init(_ facts: Facts, sharedBy: String = "", lockedBy: String = "") {
        (self.facts, self.sharedBy, self.lockedBy) = (facts, sharedBy, lockedBy)
    }

    /// Whether the user can change nothing of an item of this kind, apart from its name and its place.
    package func isReadOnly(_ kind: EntryKind) -> Bool {
        switch kind {
        case .file: !facts.contains(.write)
        case .directory: facts.isDisjoint(with: [.addFiles, .addDirectories])
        case .symlink, .special: false
        }
    }

    /// Whether something of this kind may be put into the directory.
    func takes(_ kind: EntryKind) -> Bool { facts.contains(kind == .directory ? .addDirectories : .addFiles) }
}

/// How it is stored: the facts as two bytes, the lower one first, then both names, the first one after its length in two
/// bytes.
extension ItemAccess {
    /// The longest name that is kept of anybody, in bytes.
    private static let longestName = 256

    /// The stored form.
    package var bytes: [UInt8] {
        let (sharer, locker) = (Self.bytes(sharedBy), Self.bytes(lockedBy))
        return Self.bytes(facts.rawValue) + Self.bytes(UInt16(sharer.count)) + sharer + locker
    }

    /// From the stored form; nil if it is damaged.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        let length = Int(Self.number(bytes[2...]))
        guard bytes.count >= 4 + length else { return nil }
        self.init(
            Facts(rawValue: Self.number(bytes[...])),
            sharedBy: String(decoding: bytes[4..<4 + length], as: UTF8.self),
            lockedBy: String(decoding: bytes[(4 + length)...], as: UTF8.self))
    }

    private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
    private static func bytes(_ name: String) -> [UInt8] { Array(name.utf8.prefix(longestName)) }
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
    }
}

/// What is shown of an item beside its state.
package struct ItemMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is shared, by the user or with the user.
    package static let shared = ItemMarks(rawValue: 1)
    /// The remote does not let the user change it.
    package static let readOnly = ItemMarks(rawValue: 2)
    /// Somebody else has locked it.
    package static let locked = ItemMarks(rawValue: 4)
}

extension ItemAccess {
    /// What is shown of an item of this kind.
    package func marks(_ kind: EntryKind) -> ItemMarks {
        var marks: ItemMarks = []
        if facts.contains(.isShared) { marks.insert(.shared) }
        if facts.contains(.isLocked) { marks.insert(.locked) }
        if isReadOnly(kind) { marks.insert(.readOnly) }
        return marks
    }
}

extension Node {
    /// Whether the remote, whose row this is, does not let the user change the item.
    var isReadOnly: Bool { access?.isReadOnly(kind) ?? false }
    /// What is shown of the item, whose row at the remote this is.
    var marks: ItemMarks { access?.marks(kind) ?? [] }

    /// Whether the remote, whose row this is, certainly does not allow that.
    func forbids(_ facts: ItemAccess.Facts) -> Bool { access.map { !$0.facts.isSuperset(of: facts) } ?? false }
}

extension Permissions {
    /// Everybody's permission to write.
    private static let writing = Permissions(0o222)

    /// Only the permissions to write.
    var ofWriting: Permissions { Permissions(bits & Self.writing.bits) }
    /// Without the permissions to write.
    var withoutWriting: Permissions { subtracting(Self.writing) }

    /// With those permissions to write, for whoever may read.
    func givenBack(_ withheld: Permissions) -> Permissions {
        union(Permissions(withheld.bits & bits >> 1))
    }
}
