import Support
import SystemPackage

/// The registered folders, observed directories and links.
///
/// A class because the parts of the watcher share it; it is confined to the watcher's thread.
final class AnchorTable {
    private var byFolder: [FolderID: Anchor] = [:]
    private var byPath: [FilePath: Anchor] = [:]
    private var byLink: [FilePath: Anchor] = [:]

    // MARK: Asking

    /// The folders' anchors in no particular order.
    var folders: Dictionary<FolderID, Anchor>.Values { byFolder.values }

    /// The observed directories' anchors in no particular order.
    var observed: Dictionary<FilePath, Anchor>.Values { byPath.values }

    var all: [Anchor] { Array(byFolder.values) + Array(byPath.values) + Array(byLink.values) }

    subscript(folder: FolderID) -> Anchor? { byFolder[folder] }

    subscript(observed path: FilePath) -> Anchor? { byPath[path] }

    subscript(link path: FilePath) -> Anchor? { byLink[path] }

    /// Whether an anchor was neither removed nor replaced.
    func isCurrent(_ anchor: Anchor) -> Bool {
        switch anchor.role {
        case .folder(let id, recursive: _): byFolder[id] === anchor
        case .observed: byPath[anchor.path] === anchor
        case .link: byLink[anchor.path] === anchor
        }
    }

    /// When the first changes of a folder or observed directory are due; nil if there are none.
    var deadline: Instant? {
        var first: Instant?
        for folder in byFolder.values { first = Self.earlier(first, folder.changesDeadline) }
        for anchor in byPath.values { first = Self.earlier(first, anchor.vanishedDeadline) }
        return first
    }

    /// The folders that must be rescanned on a schedule, sorted.
    var unreliable: [FolderID] {
        byFolder.filter(\.value.isUnreliable).keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// The path of an observed directory through the folder that contains it; nil if there is none. Symbolic links
    /// below a root are not followed, so the rest of the path is used unchanged.
    func pathBelowFolder(_ path: FilePath) -> FilePath? {
        var best: (length: Int, path: FilePath)?
        for folder in byFolder.values {
            for root in [folder.path, folder.resolved] where path.isAtOrBelow(root) {
                let length = root.components.count
                guard length > best?.length ?? 0 else { continue }
                var below = folder.resolved
                for component in path.components.dropFirst(length) { below.append(component) }
                best = (length, below)
            }
        }
        return best?.path
    }

    // MARK: Changing

    func insert(_ anchor: Anchor) { set(anchor, for: anchor.role, anchor.path) }

    func remove(_ anchor: Anchor) {
        guard isCurrent(anchor) else { return }
        set(nil, for: anchor.role, anchor.path)
    }

    private func set(_ anchor: Anchor?, for role: Anchor.Role, _ path: FilePath) {
        switch role {
        case .folder(let id, recursive: _): byFolder[id] = anchor
        case .observed: byPath[path] = anchor
        case .link: byLink[path] = anchor
        }
    }

    /// Marks the folders that are watched and were not established before; returns them.
    func establish() -> [FolderID] {
        byFolder.compactMap { id, anchor in
            guard anchor.node != nil, !anchor.isEstablished else { return nil }
            anchor.establish()
            return id
        }
    }

    private static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}
