package import RoundelBus
internal import Support

/// What the page of the earlier versions shows: what syncing replaced or deleted, newest first.
package struct VersionsPage: Sendable, Equatable {
    /// A version that can be restored.
    package struct Row: Sendable, Equatable {
        /// Identifies it among those of its item.
        package let id: String
        /// The item's place.
        package let uri: ItemURI
        /// The item's name.
        package let name: String
        /// What happened to it, when, and its size.
        package let reason: String
        /// The directory that it was in.
        package let place: String
        /// What can be brought back with it: all that went since.
        package let since: RestorationChoice

        /// Everything that the row says, for a screen reader.
        package var spoken: String { TextList.of([name, reason, place]) }
        /// What the button that restores it is called, for a screen reader.
        package var restoreName: String { tr("Restore {1}", name) }
        /// What the button is called that restores all that went since, for a screen reader.
        package var restoreSinceName: String { tr("Restore everything since {1} went", name) }
    }

    /// The versions.
    package let rows: [Row]

    /// The page for what is kept.
    /// - Parameters:
    ///   - items: The versions, newest first.
    ///   - folders: The synced folders.
    ///   - now: The current moment, in microseconds since 1970.
    package init(_ items: [SyncTrashItem], folders: [ItemURI], now: Int64) {
        rows = items.compactMap { item in
            guard let uri = try? ItemURI(item.uri) else { return nil }
            let time = Moment.past(item.time, now: now)
            let reason =
                switch item.reason.known {
                case .deleted: tr("Deleted {1}", time)
                case .replaced, nil: tr("Replaced {1}", time)
                }
            return Row(
                id: item.id, uri: uri, name: DisplayText.escaped(uri.displayName),
                reason: TextList.of([reason] + (item.size.map { [Quantity.bytes($0)] } ?? [])),
                place: DisplayText.escaped((uri.parent ?? uri).sentencePath),
                since: RestorationChoice(
                    moment: item.time, time: time, directory: uri.parent,
                    folder: folders.first { uri.isBelow($0) }))
        }
    }
}
