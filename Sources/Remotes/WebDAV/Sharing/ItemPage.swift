package import SyncCore
internal import Synchronization

/// The page of an item in a browser, on a server that numbers files like Nextcloud.
package enum ItemPage {
    /// The address of an item's page; nil if the server assigns it no number.
    ///
    /// - Parameter client: A client of the collection that contains it.
    package static func address(
        of item: RelativePath, isDirectory: Bool, _ client: DAVClient
    ) async throws(DAVFailure) -> String? {
        guard let number = try await number(of: item, isDirectory: isDirectory, client).flatMap({ EntryName($0) })
        else {
            return nil
        }
        let place = ServerPages.base(of: client.location) + ServerPages.files + [number]
        return client.location.at([]).address(of: RelativePath(place), isDirectory: false)
    }

    /// The number of an item, as digits; nil if the server assigns it none.
    static func number(
        of item: RelativePath, isDirectory: Bool = false, _ client: DAVClient
    ) async throws(DAVFailure) -> String? {
        let found = Mutex<String?>(nil)
        try await client.properties(of: item, isDirectory: isDirectory, depth: .item, [.fileNumber]) { items in
            guard let number = items.first.flatMap({ number(of: $0) }) else { return }
            found.withLock { $0 = number }
        }
        return found.withLock { $0 }
    }

    /// The number of an item, as digits.
    static func number(of item: MultistatusResponse) -> String? {
        guard let text = item.properties[.fileNumber]?.text, (1...20).contains(text.count),
            text.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
