package import Client
package import RoundelBus
internal import Support

/// What the window shows of one folder.
package struct FolderRow: Sendable, Equatable {
    /// The work in hand.
    package struct Work: Sendable, Equatable {
        /// How much of it is done, from 0 to 1.
        package let fraction: Double
        /// The amount, the speed and the time that is left; "" if they are not known.
        package let text: String
    }

    /// The folder.
    package let uri: ItemURI
    /// Its name.
    package let name: String
    /// Where it is, and what it syncs with.
    package let place: String
    /// The name of the emblem for its state; "" if nothing is known of it.
    package let icon: String
    /// Its state in words.
    package let sentence: String
    /// The work in hand; nil for none.
    package let work: Work?
    /// How much of it is on this computer; nil if all is, or if that is not known.
    package let contents: String?
    /// Whether the user paused it.
    package let isPaused: Bool
    /// Whether an engine manages it, so that it can be synced, paused and removed here.
    package let isManaged: Bool
    /// Whether there is something for the user to decide.
    package let needsUser: Bool

    /// The row of a folder.
    package init(_ folder: FolderSummary) {
        uri = folder.uri
        name = DisplayText.escaped(folder.label)
        place = Self.place(folder)
        icon = Self.badge(folder.state).flatMap { CommonBadge($0) }?.icon ?? ""
        sentence = Self.sentence(folder)
        work = Self.work(folder)
        contents = folder.details.flatMap(Self.contents)
        isPaused = folder.state == .badge(.paused)
        isManaged = folder.details != nil
        needsUser = folder.needsUser
    }

    /// Everything that the row says, for a screen reader.
    package var spoken: String {
        TextList.of([name, sentence, work?.text ?? "", contents ?? "", place].filter { !$0.isEmpty })
    }

    /// What its menu is called, for a screen reader.
    package var menuName: String { tr("More actions for {1}", name) }

    private static func place(_ folder: FolderSummary) -> String {
        let here = DisplayText.escaped(folder.uri.sentencePath)
        guard let remote = folder.details?.remote, !remote.isEmpty else { return here }
        // Translators: {1} is a folder, {2} is what it syncs with.
        return tr("{1} ↔ {2}", here, DisplayText.escaped(RemotePlace.words(remote)))
    }

    private static func badge(_ state: FolderSummary.State) -> Badge? {
        switch state {
        case .unknown: nil
        case .attention: .conflict
        case .badge(let badge): badge
        }
    }

    private static func sentence(_ folder: FolderSummary) -> String {
        if let need = folder.details?.needs?.known {
            return NeedWords.headline(need, deletions: folder.details?.pendingDeletes)
        }
        let text = DisplayText.escaped(folder.text)
        if !text.isEmpty { return text }
        switch folder.state {
        case .unknown: return tr("Nothing is known of it yet")
        case .attention: return tr("Needs your attention")
        case .badge(let badge): return CommonBadge(badge)?.label ?? badge.identifier
        }
    }

    private static func work(_ folder: FolderSummary) -> Work? {
        guard let percent = folder.percent else { return nil }
        guard let details = folder.details, details.bytesTotal > 0 else {
            return Work(fraction: Double(percent) / 100, text: "")
        }
        return Work(
            fraction: min(1, Double(details.bytesDone) / Double(details.bytesTotal)),
            text: Quantity.work(
                done: details.bytesDone, of: details.bytesTotal, rate: details.rate, remaining: details.remaining))
    }

    private static func contents(_ details: SyncFolderStatus) -> String? {
        guard details.isOnDemand, let here = details.bytesHere, let online = details.bytesOnline else { return nil }
        return tr("{1} on this computer, {2} online only", Quantity.bytes(here), Quantity.bytes(online))
    }
}
