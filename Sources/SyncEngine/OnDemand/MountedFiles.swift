import Glibc
import MountProtocol
import Support
import SyncCore
import SystemPackage

/// Files of a mounted folder whose contents come and go. All of it is done by the program that serves the folder, which
/// alone can keep everybody else out meanwhile.
///
/// A placeholder carries which version of the remote it stands for. So whatever is known of it otherwise, it is filled
/// with the contents of that version only.
struct MountedFiles: Sendable {
    private let disk: DiskTree
    private let contents: MountedContents
    private let batches: PlaceholderBatches
    private var root: DiskRoot { disk.root }

    init(disk: DiskTree, contents: MountedContents) {
        (self.disk, self.contents) = (disk, contents)
        batches = PlaceholderBatches(contents)
    }

    // MARK: Filling and freeing

    /// Fills a placeholder with staged contents; it stays the same file.
    func fill(_ path: RelativePath, with id: StageID, expecting expected: Version) throws(EffectFailure) -> Version {
        guard let staged = disk.staging.file(id), let name = staged.name else {
            throw EffectFailure(.notFound, .contentsGone, .local, path)
        }
        let item = try root.find(path, .file, expecting: expected)
        // It stands for another version: nobody must see that one's size with these contents.
        guard let placeholder = item.status.placeholder, let version = staged.version,
            try Self.placeholder(of: version, at: path) == placeholder
        else { throw root.changed(path) }
        try disk.barrier.noteChange(in: item.parent, at: path)
        let place = try root.attempt(path) { workspace throws(Errno) in
            try Self.nodePath(workspace.stagingPath.appending(name))
        }
        let reference = try Self.reference(to: item, at: path)
        do throws(EffectFailure) {
            try perform(path) {
                .fill(request: $0, .item(reference), staged: place, version: placeholder.version)
            }
        } catch {
            // Of no use for another attempt is what was refused, and what has given away some of its contents. That it has
            // begun to do so may show by no size yet.
            if error.reason == .changed || (try? staged.currentStatus().size) != staged.status.size {
                throwAway(staged, id)
            }
            throw error
        }
        throwAway(staged, id)
        var filled = item.status
        filled.placeholder = nil
        return disk.placement.placed(filled, item.name, in: item.parent)
    }

    private func throwAway(_ staged: StagedFile, _ id: StageID) {
        disk.staging.forget(id)
        staged.remove()
    }

    /// Leaves a placeholder of a file that no program has open.
    ///
    /// - Parameter source: The version at the remote that has the same contents.
    func free(
        _ path: RelativePath, expecting expected: Version, as source: Version
    ) throws(EffectFailure) -> Version {
        let item = try root.find(path, .file, expecting: expected)
        // Another write could have the same tag.
        guard !expected.isRacy, item.status.placeholder == nil, item.status.size > 0 else { throw root.changed(path) }
        try disk.barrier.noteChange(in: item.parent, at: path)
        let placeholder = try Self.placeholder(of: source, size: item.status.size, at: path)
        let file = FreedFile(
            size: item.status.size, modified: item.status.modified, changed: item.status.changed,
            version: placeholder.version)
        let reference = try Self.reference(to: item, at: path)
        try perform(path) { .free(request: $0, reference, file) }
        var freed = item.status
        freed.placeholder = placeholder
        return disk.placement.placed(freed, item.name, in: item.parent)
    }

    // MARK: Describing

    /// Makes a placeholder of a version of the remote, or brings the one that is there up to date.
    ///
    /// - Parameter permissions: The upper bound of the permissions of a new placeholder; nil to use those of any new
    ///   file.
    func describe(
        _ path: RelativePath, as source: Version, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Version {
        guard let expected else {
            return try disk.keeper.withRoom(near: path) { () throws(EffectFailure) in
                try make(path, as: source, permissions)
            }
        }
        let item = try root.find(path, .file, expecting: expected)
        guard item.status.placeholder != nil else { throw root.changed(path) }
        try disk.barrier.noteChange(in: item.parent, at: path)
        let placeholder = try Self.placeholder(of: source, at: path)
        let file = DescribedFile(
            size: item.status.size, modified: item.status.modified, changed: item.status.changed,
            contents: placeholder, date: source.modified)
        let reference = try Self.reference(to: item, at: path)
        try perform(path) { .describe(request: $0, reference, file) }
        var described = item.status
        (described.size, described.modified) = (placeholder.size, source.modified)
        described.placeholder = placeholder.size > 0 ? placeholder : nil
        return disk.placement.placed(described, item.name, in: item.parent)
    }

    /// A new placeholder is made where nobody sees it, and moved to its place by a rename that programs are told of.
    private func make(
        _ path: RelativePath, as source: Version, _ permissions: Permissions?
    ) throws(EffectFailure) -> Version {
        let (parent, name) = try root.parent(of: path)
        try disk.barrier.noteChange(in: parent, at: path)
        let contents = try Self.placeholder(of: source, at: path)
        let granted = disk.permissions.granted(permissions, in: parent)
        let new = RandomName.component(prefix: root.session)
        let (staging, status) = try root.attempt(path) { workspace throws(Errno) in
            let staging = try workspace.area().staging()
            let item = NewPlaceholder(
                path: try Self.nodePath(workspace.stagingPath.appending(new)), mode: granted.mode,
                modified: source.modified, contents: contents)
            _ = try batches.make(item)
            return (staging, try staging.status(of: new))
        }
        granted.list?.set(onEntry: new, of: staging)
        disk.barrier.note { $0.note(own: staging) }
        do throws(Errno) {
            try staging.renameWithoutReplacing(new, to: name, in: parent)
        } catch {
            try? staging.removeFile(new)
            if error == .fileExists { throw disk.placement.occupied(path, name, in: parent) }
            throw EffectFailure(error, path, on: .local)
        }
        return disk.placement.placed(status, name, in: parent)
    }

    // MARK: Versions

    private static func placeholder(of source: Version, at path: RelativePath) throws(EffectFailure) -> Placeholder {
        try placeholder(of: source, size: UInt64(clamping: source.size), at: path)
    }

    /// What stands for a version of the remote. Its bytes are short enough to take no room beside the inode.
    private static func placeholder(
        of source: Version, size: UInt64, at path: RelativePath
    ) throws(EffectFailure) -> Placeholder {
        guard var hasher = ContentHasher() else { throw EffectFailure(.io, Explanation(.noMemory)) }
        source.tag.bytes.withUnsafeBytes { hasher.update($0) }
        let version = Array(hasher.finish().bytes.prefix(versionLength))
        guard let placeholder = Placeholder(size: size, version: version) else {
            throw EffectFailure(.denied, .tooLarge, .local, path)
        }
        return placeholder
    }

    private static let versionLength = 16

    // MARK: Asking

    private static func nodePath(_ path: RelativePath) throws(Errno) -> NodePath {
        guard let path = NodePath(path.bytes) else { throw .fileNameTooLong }
        return path
    }

    private static func reference(to item: FoundItem, at path: RelativePath) throws(EffectFailure) -> ItemReference {
        let path = try EffectFailure.attempt(path, on: .local) { () throws(Errno) in try nodePath(path) }
        return ItemReference(path: path, inode: item.status.inode)
    }

    /// Has something done with an item.
    private func perform(
        _ path: RelativePath, _ request: (UInt32) -> WorkerRequest
    ) throws(EffectFailure) {
        do throws(Errno) {
            try contents.perform(limit: Patience.Mount.durability, request)
        } catch {
            switch error {
            case .staleNFSFileHandle, .alreadyInProcess, .invalidArgument, .canceled: throw root.changed(path)
            case .resourceBusy: throw EffectFailure(.busy, .inUse, .local, path)
            case .tooManyLinks: throw EffectFailure(.denied, .severalNames, .local, path)
            default: throw EffectFailure(error, path, on: .local)
            }
        }
    }
}
