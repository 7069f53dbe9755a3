import SyncCore

/// What a server with ownCloud's or Nextcloud's properties tells of what the user may do with an item.
enum ToldAccess {
    /// The properties that tell it.
    static let properties: Set<PropertyName> = [
        .permissions, .shareTypes, .ownerName, .lock, .lockOwner, .lockOwnerName, .lockOwnerKind,
    ]

    /// What is told of an item; nil if nothing is. Letters that are not known are ignored.
    ///
    /// - Parameter user: The account that is logged in, if the address tells it: its own lock locks nothing out.
    static func access(_ item: MultistatusResponse, user: String?) -> ItemAccess? {
        guard let value = item.properties[.permissions] else { return nil }
        let letters = value.text.withoutBlanks()
        // A server that has the property without a value for an item tells nothing of it.
        guard !letters.isEmpty else { return nil }
        var access = ItemAccess(letters.reduce(into: []) { $0.formUnion(facts(of: $1)) })
        let isReceived = letters.contains(UInt8(ascii: "S"))
        if isReceived { access.sharedBy = text(item, .ownerName) }
        if isReceived || item.properties[.shareTypes]?.elements.isEmpty == false { access.facts.insert(.isShared) }
        if isLocked(item, for: user) {
            access.facts.insert(.isLocked)
            access.lockedBy = text(item, .lockOwnerName)
        } else if ["1", "true"].contains(text(item, .lock)) {
            access.facts.insert(.isOwnLock)
        }
        return access
    }

    /// The letters of Nextcloud's documentation: R shareable, D deletable, N renameable, V movable, W writable, C and K
    /// files and directories can be made. S shared with the user, M mounted and G readable allow nothing more.
    private static func facts(of letter: UInt8) -> ItemAccess.Facts {
        switch letter {
        case UInt8(ascii: "W"): .write
        case UInt8(ascii: "C"): .addFiles
        case UInt8(ascii: "K"): .addDirectories
        case UInt8(ascii: "D"): .delete
        case UInt8(ascii: "N"): .rename
        case UInt8(ascii: "V"): .move
        case UInt8(ascii: "R"): .share
        default: []
        }
    }

    private static func isLocked(_ item: MultistatusResponse, for user: String?) -> Bool {
        guard ["1", "true"].contains(text(item, .lock)) else { return false }
        // A lock of a program keeps out everybody, also whose program it is.
        let isOfPerson = ["", "0"].contains(text(item, .lockOwnerKind))
        return !isOfPerson || user == nil || text(item, .lockOwner) != user
    }

    private static func text(_ item: MultistatusResponse, _ name: PropertyName) -> String {
        item.properties[name].map { String(decoding: $0.text.withoutBlanks(), as: UTF8.self) } ?? ""
    }
}
