package import RoundelBus

/// Where the contents of a file are, or of all files in a directory, in a folder on demand.
package struct ItemContents: Sendable, Equatable {
    /// The attributes that say it.
    static let keys: [AttributeKey] = [.contents, .bytesHere, .bytesOnline, .filesHere, .filesOnline, .pinned]

    /// Where they are.
    package var place: ContentsPlace
    /// The size in bytes of what is on this computer.
    package var bytesHere: UInt64
    /// The size in bytes of what is on the remote alone.
    package var bytesOnline: UInt64
    /// The number of files whose contents are on this computer.
    package var filesHere: UInt64
    /// The number of files whose contents are on the remote alone.
    package var filesOnline: UInt64
    /// Whether they are always kept on this computer.
    package var isPinned: Bool

    /// Contents of nothing, at a place.
    package init(_ place: ContentsPlace) {
        self.place = place
        (bytesHere, bytesOnline, filesHere, filesOnline, isPinned) = (0, 0, 0, 0, false)
    }

    /// What an item's attributes say; nil if its folder is not on demand.
    package init?(_ attributes: [AttributeKey: AttributeValue]) {
        guard case .string(let word)? = attributes[.contents], let place = ContentsPlace(rawValue: word) else {
            return nil
        }
        func count(_ key: AttributeKey) -> UInt64 {
            guard case .unsigned(let count)? = attributes[key] else { return 0 }
            return count
        }
        self.place = place
        (bytesHere, bytesOnline) = (count(.bytesHere), count(.bytesOnline))
        (filesHere, filesOnline) = (count(.filesHere), count(.filesOnline))
        isPinned = attributes[.pinned] == .truth(true)
    }

    /// The size in bytes if everything were on this computer.
    package var bytes: UInt64 { bytesHere.addingReportingOverflow(bytesOnline).partialValue }
}

extension HostProxy {
    /// Where the contents of an item are; nil if its folder is not on demand, or if that is not known.
    package func contents(of item: ItemURI) async -> ItemContents? {
        (try? await attributes(of: item, keys: ItemContents.keys)).flatMap { ItemContents($0) }
    }

    /// Where the contents of the items of a directory are: of none if its folder is not on demand.
    func contents(of names: [ItemName], in directory: ItemURI) async -> [ItemName: ItemContents] {
        guard await contents(of: directory) != nil else { return [:] }
        return await withTaskGroup(of: (ItemName, ItemContents?).self) { group in
            var found: [ItemName: ItemContents] = [:]
            var rest = names[...]
            // The service refuses a caller that has too many calls without an answer.
            for name in rest.prefix(64) { group.addTask { (name, await self.contents(of: directory.appending(name))) } }
            rest = rest.dropFirst(64)
            for await (name, contents) in group {
                found[name] = contents
                if let next = rest.popFirst() {
                    group.addTask { (next, await self.contents(of: directory.appending(next))) }
                }
            }
            return found
        }
    }
}
