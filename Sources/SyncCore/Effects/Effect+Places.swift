/// The places that effects read or change.
extension Effect {
    /// Whether the effect reads or changes something within the file system mounted at a place.
    func isWithin(_ point: MountPoint) -> Bool {
        if case .listDirectory(point.side, let path, _) = self, path == point.path { return true }
        return places.contains { place in
            place.side == point.side && place.path.names.count > point.path.names.count
                && place.path.names.starts(with: point.path.names)
        }
    }

    /// The items that the effect reads or changes.
    private var places: [MountPoint] {
        switch self {
        case .probeRoots, .markRoot, .syncContents, .syncRenames, .discard, .within: []
        case .listDirectory(let side, let path, _), .checkEntry(let side, let path, _),
            .hashFile(let side, let path, _),
            .publish(_, let side, let path, _, _), .makeDirectory(let side, let path, _),
            .setPermissions(let side, let path, _, _, _), .remove(let side, let path, _, _):
            [MountPoint(side: side, path: path)]
        case .removeTree(let path, _, _): [MountPoint(side: .remote, path: path)]
        case .stage(_, let from, let path, _):
            [MountPoint(side: from, path: path), MountPoint(side: from.other, path: path)]
        case .move(let side, let from, let to, _, _):
            [MountPoint(side: side, path: from), MountPoint(side: side, path: to)]
        case .replaceLocal(let from, let to):
            [MountPoint(side: .local, path: from.path), MountPoint(side: .local, path: to.path)]
        case .displace(let item, _, .item(let other), _):
            [MountPoint(side: .local, path: item.path), MountPoint(side: .local, path: other.path)]
        case .discardLocal(let item), .displace(let item, _, .staged, _), .displace(let item, _, .directory, _):
            [MountPoint(side: .local, path: item.path)]
        }
    }
}
