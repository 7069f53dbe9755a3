internal import Remotes
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// The items of one folder: their URIs, their nodes in the engine's trees, and what the engine knows about them.
struct FolderItems {
    /// The URI of the folder, as registered.
    let folder: ItemURI
    /// The URI of the remote directory; nil for a remote without URIs, and if nothing in it is to be shown.
    private let remote: ItemURI?
    private let engine: SyncFolder
    private let explainer: Explainer

    /// How many of the items that wait are listed.
    private static let namedAtMost = 100

    /// - Parameter remoteURI: The URI of the remote directory; nil if it has none, or if nothing in it is to be shown.
    init(_ folder: ItemURI, remoteURI: String?, engine: SyncFolder, explainer: Explainer) {
        self.folder = folder
        remote = remoteURI.flatMap { try? ItemURI($0) }
        self.engine = engine
        self.explainer = explainer
    }

    // MARK: Places

    /// The item at a URI; nil if none is known.
    func node(at item: ItemURI) -> NodeID? {
        guard let path = RelativePath(item, below: folder) else { return nil }
        return try? engine.store.localNode(at: path)
    }

    /// The same for a path below the folder.
    func node(at path: RelativePath) -> NodeID? { try? engine.store.localNode(at: path) }

    /// The path of an item below the folder, here or, if it is not here, on the remote; nil if it is not known.
    func path(of node: NodeID) -> RelativePath? {
        if node == .root { return .root }
        return ((try? engine.store.path(of: node, in: .local)) ?? nil)
            ?? ((try? engine.store.path(of: node, in: .remote)) ?? nil)
    }

    /// Whether an item is a file here.
    func isFile(_ node: NodeID) -> Bool { ((try? engine.store.node(node, in: .local)) ?? nil)?.kind == .file }

    /// What an item is, here or, if it is not here, on the remote; nil if it is not known.
    func kind(of node: NodeID) -> EntryKind? {
        (((try? engine.store.node(node, in: .local)) ?? nil) ?? ((try? engine.store.node(node, in: .remote)) ?? nil))?
            .kind
    }

    /// An item and the directories that it is in, up to the folder.
    func ancestry(of node: NodeID) -> [NodeID] {
        var (line, next) = ([node], node)
        while next != .root, let known = (try? engine.store.node(next, in: .local)) ?? nil, known.parent != .none {
            next = known.parent
            line.append(next)
        }
        return line
    }

    /// The local URI of an item, or the one that it will have once it is downloaded.
    func uri(of node: NodeID) -> ItemURI? {
        path(of: node)?.uri(below: folder)
    }

    /// The URI of an item on the remote; nil if the item does not exist there, or the remote has no URIs.
    func remoteURI(of node: NodeID) -> String? {
        guard let remote, node == .root || (try? engine.store.node(node, in: .remote)) ?? nil != nil else { return nil }
        return (try? engine.store.path(of: node, in: .remote))??.uri(below: remote)?.uri
    }

    /// The same for the item at a URI.
    func remoteURI(of item: ItemURI) -> String? { node(at: item).flatMap { remoteURI(of: $0) } }

    /// The path of an item on the remote and whether it is a directory; nil if the item does not exist there.
    func remotePlace(of node: NodeID) -> (path: RelativePath, isDirectory: Bool)? {
        if node == .root { return (.root, true) }
        guard let known = (try? engine.store.node(node, in: .remote)) ?? nil,
            let path = (try? engine.store.path(of: node, in: .remote)) ?? nil
        else { return nil }
        return (path, known.kind == .directory)
    }

    /// What the remote lets the user do with an item of a kind; nil if it does not tell.
    func access(to node: NodeID) -> (ItemAccess, EntryKind)? {
        guard let known = (try? engine.store.node(node, in: .remote)) ?? nil, let access = known.access else {
            return nil
        }
        return (access, known.kind)
    }

    /// The name of an item: the local one if it exists locally.
    func name(of node: NodeID) -> String? {
        guard let known = try? engine.store.node(node, in: .local) ?? engine.store.node(node, in: .remote) else {
            return nil
        }
        return String(decoding: known.name.bytes, as: UTF8.self)
    }

    // MARK: States

    /// How an item is shown to the user.
    func presentation(of node: NodeID) -> ItemPresentation? { try? engine.presentation(of: node) }

    /// The status that the engine recorded for an item that is not simply synced.
    func status(of node: NodeID) -> NodeStatus? { (try? engine.store.status(node)) ?? nil }

    /// The files that are synced and on this computer or on their way here, and their bytes; nil if that is not known.
    var filesHere: (files: Int, bytes: Int64)? {
        (try? engine.store.counts(.root)).map { ($0.filesHere, $0.bytesHere) }
    }

    /// The first items in a state.
    func items(in state: ItemSyncState, limit: Int) -> [NodeID] {
        (try? engine.store.nodes(inState: state, after: .none, limit: limit)) ?? []
    }

    /// The URIs of the first items in a state.
    func uris(in state: ItemSyncState, limit: Int) -> [ItemURI] {
        items(in: state, limit: limit).compactMap { uri(of: $0) }
    }

    /// The items that are tried again soon, because a program is writing them or they changed meanwhile; empty while the
    /// folder itself cannot sync.
    var triedAgain: [ItemMessage] { waiting(engine.itemsTriedAgain(limit: Self.namedAtMost)) }

    /// The items that the remote puts off; empty while the folder itself cannot sync.
    var putOff: [ItemMessage] { waiting(engine.itemsPutOff(limit: Self.namedAtMost)) }

    private func waiting(_ found: [(node: NodeID, message: Explanation)]) -> [ItemMessage] {
        switch engine.status.phase {
        case .idle, .looking, .syncing: break
        case .paused, .offline, .stopped, .confirmDeletes: return []
        }
        return found.compactMap { item in
            uri(of: item.node).map { ItemMessage(uri: $0.uri, message: explainer.sentence(item.message)) }
        }
    }

    /// The error of one of the items that could not be synced.
    var firstError: String? {
        guard engine.status.counts.errors > 0,
            let status = items(in: .error, limit: 1).first.flatMap({ status(of: $0) })
        else { return nil }
        return explainer.sentence(status.message)
    }
}

extension RelativePath {
    /// The path of an item relative to a folder; nil if it is not in that folder.
    init?(_ item: ItemURI, below folder: ItemURI) {
        guard item.isWithin(folder) else { return nil }
        let rest = item.path.utf8.dropFirst(folder.isRoot ? 0 : folder.path.utf8.count)
        var names: [EntryName] = []
        for segment in rest.split(separator: UInt8(ascii: "/")) {
            guard let name = try? ItemName(String(Substring(segment))), let entry = name.entryName else { return nil }
            names.append(entry)
        }
        self.init(names)
    }

    /// The URI of the item; nil if the path is too long for one.
    func uri(below folder: ItemURI) -> ItemURI? {
        var uri = folder
        for name in names {
            guard let segment = try? ItemName(bytes: name.bytes) else { return nil }
            uri = uri.appending(segment)
        }
        let escapes = uri.path.utf8.count { $0 == UInt8(ascii: "%") }
        return uri.path.utf8.count - 2 * escapes < ItemURI.pathLimit ? uri : nil
    }
}

extension ItemName {
    /// The name in the form that the trees use.
    var entryName: EntryName? { EntryName(bytes) }
}
