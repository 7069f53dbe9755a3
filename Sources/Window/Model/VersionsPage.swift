package import RoundelBus
internal import Support

/// What the page of the earlier versions shows: what syncing replaced or deleted, newest first.
package struct VersionsPage: Sendable, Equatable {
    /// A version that can be restored.
    package struct Row: Sendable, Equatable {
        /// Who keeps a version.
        package enum Keeper: Sendable {
            /// The sync engine.
            case engine
            /// The server, by itself.
            case server
        }

        /// Who keeps it.
        package let keeper: Keeper
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
        package let restoreName: String
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
        rows = items.compactMap { Self.row($0, folders, now: now) }
    }

    /// The page for what is kept of one file, by the engine and by its server.
    /// - Parameters:
    ///   - items: The versions that the engine keeps, newest first; those of other items are left out.
    ///   - server: Those that the server keeps, newest first.
    package init(
        of item: ItemURI, _ items: [SyncTrashItem], server: [SyncServerVersion], folders: [ItemURI], now: Int64
    ) {
        rows =
            items.filter { $0.uri == item.uri }.compactMap { Self.row($0, folders, now: now) }
            + server.map { Self.row($0, of: item, now: now) }
    }

    private static func row(_ version: SyncServerVersion, of item: ItemURI, now: Int64) -> Row {
        let time = Moment.past(version.time, now: now)
        return Row(
            keeper: .server, id: version.id, uri: item, name: DisplayText.escaped(item.displayName),
            reason: TextList.of(
                [tr("Written {1}", time)] + (version.size.map { [Quantity.bytes($0)] } ?? [])
                    + (version.author.map { [tr("by {1}", DisplayText.escaped($0))] } ?? [])),
            place: tr("On the server"),
            since: RestorationChoice(moment: version.time, time: time, directory: nil, folder: nil),
            // Translators: {1} is a file, {2} is when its version was written.
            restoreName: tr("Restore {1} of {2} from the server", DisplayText.escaped(item.displayName), time))
    }

    private static func row(_ item: SyncTrashItem, _ folders: [ItemURI], now: Int64) -> Row? {
        guard let uri = try? ItemURI(item.uri) else { return nil }
        let time = Moment.past(item.time, now: now)
        let reason =
            switch item.reason.known {
            case .deleted: tr("Deleted {1}", time)
            case .replaced, nil: tr("Replaced {1}", time)
            }
        return Row(
            keeper: .engine, id: item.id, uri: uri, name: DisplayText.escaped(uri.displayName),
            reason: TextList.of([reason] + (item.size.map { [Quantity.bytes($0)] } ?? [])),
            place: DisplayText.escaped((uri.parent ?? uri).sentencePath),
            since: RestorationChoice(
                moment: item.time, time: time, directory: uri.parent,
                folder: folders.first { uri.isBelow($0) }),
            restoreName: tr("Restore {1}", DisplayText.escaped(uri.displayName)))
    }
}
