internal import Dispatch
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// The attributes of one folder's items: those that the engine knows, and those read from the disk.
struct FolderAttributes {
    private let items: FolderItems
    private let engine: SyncFolder
    private let explainer: Explainer
    private let reader: FactsReader

    /// The attributes that only the file system has.
    private static let keysOfDisk: Set<String> = ["last-used", "tags"]

    init(_ items: FolderItems, engine: SyncFolder, explainer: Explainer, control: LoopControl) {
        self.items = items
        self.engine = engine
        self.explainer = explainer
        reader = FactsReader(control: control)
    }

    /// Calls `answer` with the attributes of an item, which are empty if it is not known. If `keys` is not empty,
    /// returns only those attributes.
    ///
    /// - Parameter lastSynced: When the folder was last synced completely, in microseconds since 1970.
    func read(
        of item: ItemURI, keys: [String], lastSynced: Int64?, answer: @escaping ([String: AttributeValue]) -> Void
    ) {
        let wanted = Set(keys)
        guard let path = RelativePath(item, below: items.folder),
            let known = knownAttributes(of: item, path, lastSynced)
        else { return answer([:]) }
        let given = wanted.isEmpty ? known : known.filter { wanted.contains($0.key) }
        guard wanted.isEmpty || !wanted.isDisjoint(with: Self.keysOfDisk) else { return answer(given) }
        reader.read(path, below: items.folder.filePath) { facts in
            var all = given
            if let accessed = facts?.accessed { all["last-used"] = .signed(accessed) }
            if let tags = facts?.tags, !tags.isEmpty { all["tags"] = .strings(tags) }
            answer(wanted.isEmpty ? all : all.filter { wanted.contains($0.key) })
        }
    }

    private func knownAttributes(
        of item: ItemURI, _ path: RelativePath, _ lastSynced: Int64?
    ) -> [String: AttributeValue]? {
        guard let node = items.node(at: item), let shown = items.presentation(of: node) else { return nil }
        let status = items.status(of: node)
        var attributes: [String: AttributeValue] = ["state": .string(shown.state.badge)]
        if let badge = CommonBadge(rawValue: shown.state.badge) {
            attributes["label"] = .string(badge.label)
        }
        if let contents = shown.contents { Self.add(contents, node == .root || isDirectory(node), to: &attributes) }
        if let progress = shown.progress { attributes["progress"] = .byte(progress) }
        let total = shown.bytesTotal > 0 ? shown.bytesTotal : status?.bytes ?? 0
        if total > shown.bytesDone {
            attributes["bytes-done"] = .unsigned(UInt64(clamping: shown.bytesDone))
            attributes["bytes-total"] = .unsigned(UInt64(clamping: total))
        }
        if let seconds = (try? engine.store.lastSynced(at: path)) ?? nil {
            attributes["last-synced"] = .signed(seconds * 1_000_000)
        }
        if node == .root, let lastSynced { attributes["last-synced"] = .signed(lastSynced) }
        if let message = message(of: node, shown, status) { attributes["message"] = .string(message) }
        if let (access, kind) = items.access(to: node), let words = AccessWords.sentence(access, of: kind) {
            attributes["permissions"] = .string(words)
        }
        if let remote = items.remoteURI(of: node) { attributes["remote-uri"] = .string(remote) }
        return attributes
    }

    private func isDirectory(_ node: NodeID) -> Bool {
        ((try? engine.store.node(node, in: .local)) ?? nil)?.kind == .directory
    }

    /// Where the contents are. The label of a directory says it, too, if nothing more important is to be said of it.
    private static func add(
        _ contents: ItemContents, _ isDirectory: Bool, to attributes: inout [String: AttributeValue]
    ) {
        attributes["contents"] = .string(contents.place.word.rawValue)
        attributes["files-here"] = .unsigned(UInt64(clamping: contents.filesHere))
        attributes["files-online"] = .unsigned(UInt64(clamping: contents.filesAway))
        attributes["bytes-here"] = .unsigned(UInt64(clamping: contents.bytesHere))
        attributes["bytes-online"] = .unsigned(UInt64(clamping: contents.bytesAway))
        attributes["pinned"] = .truth(contents.isPinned)
        let state = attributes["state"]
        let isQuiet = state == .string(Badge.synced.identifier) || state == .string(Badge.onlineOnly.identifier)
        guard isDirectory, isQuiet, contents.filesHere + contents.filesAway > 0 else { return }
        attributes["label"] = .string(words(contents))
    }

    private static func words(_ contents: ItemContents) -> String {
        switch contents.place {
        case .here: tr("All on this computer")
        case .partly:
            tr(
                contents.filesHere, one: "1 of {2} files on this computer",
                other: "{1} of {2} files on this computer", "\(contents.filesHere + contents.filesAway)")
        case .away: tr("Online only")
        }
    }

    /// A sentence for the state of an item; nil if there is nothing to say.
    func message(of node: NodeID) -> String? {
        items.presentation(of: node).flatMap { message(of: node, $0, items.status(of: node)) }
    }

    /// A sentence for a state that the label does not fully explain.
    private func message(of node: NodeID, _ shown: ItemPresentation, _ status: NodeStatus?) -> String? {
        if node == .root, !engine.status.message.isEmpty { return explainer.sentence(engine.status.message) }
        if !shown.message.isEmpty { return explainer.sentence(shown.message) }
        if let other = status?.counterpart, let name = try? engine.store.node(other, in: .local)?.name {
            return tr("The other version is “{1}”.", String(decoding: name.bytes, as: UTF8.self))
        }
        if let counts = try? engine.store.counts(node), !counts.isZero {
            if counts.errors > 0 { return FolderWords.failed(counts.errors) }
            if counts.conflicts > 0 { return FolderWords.conflicts(counts.conflictPairs) }
            if counts.pending > 0 { return FolderWords.waiting(counts.pending) }
        }
        let reason = (try? engine.reason(of: node)) ?? .nothing
        return reason.isEmpty ? nil : explainer.sentence(reason)
    }
}

extension ItemContents.Place {
    /// As the attributes of items tell it.
    fileprivate var word: ContentsPlace {
        switch self {
        case .here: .here
        case .partly: .partly
        case .away: .online
        }
    }
}

/// Reads attributes of items from the disk on a thread of its own, so that a file system that does not respond cannot
/// block the bus.
///
/// @unchecked: confined to the control loop; the queue only holds the reference, to post it there.
private final class FactsReader: @unchecked Sendable {
    private let control: LoopControl
    private let queue = DispatchQueue(label: "org.roundel.looks")
    private var waiting: [UInt64: (ItemFacts?) -> Void] = [:]
    private var last: UInt64 = 0

    /// The maximum number of waiting requests. Beyond that, for example if a file system does not respond, no
    /// attributes are read.
    private static let limit = 10_000

    init(control: LoopControl) {
        self.control = control
    }

    /// Calls `answer` later, or immediately if too many requests wait.
    func read(_ path: RelativePath, below root: FilePath, _ answer: @escaping (ItemFacts?) -> Void) {
        guard waiting.count < Self.limit else { return answer(nil) }
        last += 1
        let number = last
        waiting[number] = answer
        queue.async { [self] in
            let facts = ItemFacts.read(path, below: root)
            control.post { [self] in waiting.removeValue(forKey: number)?(facts) }
        }
    }
}
