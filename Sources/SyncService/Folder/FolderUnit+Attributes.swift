internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension FolderUnit {
    /// The attributes that only the file system knows.
    private static let keysOfDisk: Set<String> = ["last-used", "tags"]

    /// Answers with the attributes of an item, none for one that is not known; those in `keys` alone unless it is
    /// empty.
    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        let wanted = Set(keys)
        guard let path = RelativePath(item, below: uri), let known = knownAttributes(of: item, path) else {
            return answer([:])
        }
        let given = wanted.isEmpty ? known : known.filter { wanted.contains($0.key) }
        guard wanted.isEmpty || !wanted.isDisjoint(with: Self.keysOfDisk) else { return answer(given) }
        looks.look(at: path, below: uri.filePath) { facts in
            var all = given
            if let accessed = facts?.accessed { all["last-used"] = .signed(accessed) }
            if let tags = facts?.tags, !tags.isEmpty { all["tags"] = .strings(tags) }
            answer(wanted.isEmpty ? all : all.filter { wanted.contains($0.key) })
        }
    }

    /// Where an item is at the remote; nil for one that is not there, and where the remote has no URIs.
    func remoteURI(of node: NodeID) -> String? {
        guard let base = remoteAddress.uri.flatMap({ try? ItemURI($0) }),
            node == .root || (try? folder.store.node(node, in: .remote)) ?? nil != nil
        else { return nil }
        return (try? folder.store.path(of: node, in: .remote))??.uri(below: base)?.uri
    }

    private func knownAttributes(of item: ItemURI, _ path: RelativePath) -> [String: AttributeValue]? {
        guard let node = node(of: item), let shown = presentation(of: node) else { return nil }
        let status = (try? folder.store.status(node)) ?? nil
        var attributes: [String: AttributeValue] = ["state": .string(shown.state.badge)]
        if let label = BundledBadges.label(of: Badge(shown.state.badge)) { attributes["label"] = .string(label) }
        if let progress = shown.progress { attributes["progress"] = .byte(progress) }
        let total = shown.bytesTotal > 0 ? shown.bytesTotal : status?.bytes ?? 0
        if total > shown.bytesDone {
            attributes["bytes-done"] = .unsigned(UInt64(clamping: shown.bytesDone))
            attributes["bytes-total"] = .unsigned(UInt64(clamping: total))
        }
        if let seconds = (try? folder.store.lastSynced(at: path)) ?? nil {
            attributes["last-synced"] = .signed(seconds * 1_000_000)
        }
        if node == .root, let time = lastSynced { attributes["last-synced"] = .signed(time) }
        if let message = message(of: node, shown, status) { attributes["message"] = .string(message) }
        if let remote = remoteURI(of: node) { attributes["remote-uri"] = .string(remote) }
        return attributes
    }

    /// A sentence where the label does not say everything.
    private func message(of node: NodeID, _ shown: ItemPresentation, _ status: NodeStatus?) -> String? {
        if node == .root, !folder.status.message.isEmpty { return explainer.sentence(folder.status.message) }
        if !shown.message.isEmpty { return explainer.sentence(shown.message) }
        if let other = status?.counterpart, let name = try? folder.store.node(other, in: .local)?.name {
            return Words.otherVersion(String(decoding: name.bytes, as: UTF8.self))
        }
        guard let counts = try? folder.store.counts(node), !counts.isZero else { return nil }
        if counts.errors > 0 { return Words.failed(counts.errors) }
        if counts.conflicts > 0 { return Words.conflicts((counts.conflicts + 1) / 2) }
        return Words.waiting(counts.pending)
    }
}
