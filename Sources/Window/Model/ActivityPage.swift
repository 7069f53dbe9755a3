package import RoundelBus
internal import Support

/// What the page of the activity shows: what syncing did, newest first.
package struct ActivityPage: Sendable, Equatable {
    /// One thing that was done.
    package struct Row: Sendable, Equatable {
        /// Identifies it among all rows.
        package let id: String
        /// The item.
        package let uri: ItemURI
        /// Its name.
        package let name: String
        /// What was done with it.
        package let action: String
        /// When, by the user's clock, and where it is.
        package let place: String
        /// The name of the icon for what was done.
        package let icon: String
        /// Whether it failed.
        package let isFailure: Bool

        /// Everything that the row says, for a screen reader.
        package var spoken: String { TextList.of([name, action, place]) }
    }

    /// The most entries that are kept.
    package static let limit = 300

    private var entries: [SyncActivity] = []

    /// A page without entries.
    package init() {}

    /// The words above the history of an item.
    package static func title(ofHistory item: ItemURI) -> String {
        tr("What was done with {1}", DisplayText.escaped(item.sentencePath))
    }

    /// Adds entries that are newer than those before.
    package mutating func add(_ new: [SyncActivity]) {
        entries = Array((new.reversed() + entries).prefix(Self.limit))
    }

    /// The rows, newest first.
    /// - Parameters:
    ///   - words: What the user looks for; each word is in the name, the place or the action of a row.
    ///   - item: An item whose history alone is shown; nil for all.
    ///   - now: The current moment, in microseconds since 1970.
    package func rows(matching words: String, of item: ItemURI? = nil, now: Int64) -> [Row] {
        let wanted = words.lowercased().split(whereSeparator: \.isWhitespace)
        var rows: [Row] = []
        // A name of the item before it was moved.
        var places = Set(item.map { [$0.uri] } ?? [])
        for entry in entries {
            if item != nil {
                guard places.contains(entry.uri) else { continue }
                if let old = entry.oldURI { places.insert(old) }
            }
            guard let row = Self.row(entry, now: now) else { continue }
            let text = "\(row.name) \(row.place) \(row.action)".lowercased()
            if wanted.allSatisfy({ text.contains($0) }) { rows.append(row) }
        }
        return rows
    }

    private static func row(_ entry: SyncActivity, now: Int64) -> Row? {
        guard let uri = try? ItemURI(entry.uri) else { return nil }
        let (action, icon) = words(entry)
        return Row(
            id: "\(entry.folder)/\(entry.sequence)", uri: uri, name: DisplayText.escaped(uri.displayName),
            action: action,
            // Translators: {1} is when something was done, {2} is the directory.
            place: tr(
                "{1} in {2}", Moment.past(entry.time, now: now), DisplayText.escaped((uri.parent ?? uri).sentencePath)),
            icon: icon, isFailure: entry.action.known == .error)
    }

    /// What was done, and the name of an icon for it.
    private static func words(_ entry: SyncActivity) -> (String, icon: String) {
        switch entry.action.known {
        case .uploaded: return (tr("Uploaded"), "go-up-symbolic")
        case .downloaded: return (tr("Downloaded"), "go-down-symbolic")
        case .moved:
            guard let old = entry.oldURI.flatMap({ try? ItemURI($0) }) else { return (tr("Moved"), "go-next-symbolic") }
            return (tr("Moved from “{1}”", DisplayText.escaped(old.sentencePath)), "go-next-symbolic")
        case .deletedLocal: return (tr("Deleted on this computer"), "user-trash-symbolic")
        case .deletedRemote: return (tr("Deleted on the remote"), "user-trash-symbolic")
        case .conflict: return (tr("Changed on both sides; both versions were kept"), "dialog-warning-symbolic")
        case .permissions: return (tr("Permissions changed"), "changes-prevent-symbolic")
        case .notKept: return (tr("The old version could not be kept"), "dialog-warning-symbolic")
        case .copiedOut: return (tr("Copied out of the folder"), "edit-copy-symbolic")
        case .error:
            let reason = DisplayText.escaped(entry.message ?? "")
            return (reason.isEmpty ? tr("Could not be synced") : reason, "dialog-error-symbolic")
        case nil: return (DisplayText.escaped(entry.action.text), "emblem-system-symbolic")
        }
    }
}
