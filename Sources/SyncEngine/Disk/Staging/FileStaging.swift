import CLinux
import Dispatch
import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// Brings contents to a tree's file system, where no listing shows them until they are placed.
final class FileStaging: Sendable {
    private let root: DiskRoot
    private let writers: WriterGuard
    private let space: FreeSpace
    /// Receives large transfers, which a later run can resume; nil if none can be resumed.
    private let partials: PartialTransfers?
    private let files = Mutex<[StageID: StagedFile]>([:])
    /// Where the contents of the other side's multiply linked files are.
    private let linked = LinkedContents()

    init(in root: DiskRoot, _ writers: WriterGuard, _ space: FreeSpace, _ partials: PartialTransfers?) {
        (self.root, self.writers, self.space, self.partials) = (root, writers, space, partials)
    }

    // MARK: Staged files

    /// A file that is staged; nil if it is not.
    func file(_ id: StageID) -> StagedFile? { files.withLock { $0[id] } }

    private func remember(_ file: StagedFile, as id: StageID) { files.withLock { $0[id] = file } }

    /// Forgets a file that was placed, or is no longer what was staged.
    func forget(_ id: StageID) {
        files.withLock { $0.removeValue(forKey: id) }?.claim?.forget()
    }

    /// The same for a file, if it has an id.
    func forget(_ file: StagedFile) {
        let id = files.withLock { $0.first { $0.value.status.inode == file.status.inode }?.key }
        if let id { forget(id) }
    }

    /// Forgets a file that was placed at a path; its contents may be copied from there.
    func published(_ id: StageID, at path: RelativePath, _ version: Version) {
        forget(id)
        linked.published(id, at: path, version)
    }

    /// Removes staged files; unknown IDs are ignored.
    func discard(_ ids: [StageID]) {
        for id in ids {
            linked.discarded(id)
            let file = files.withLock { $0.removeValue(forKey: id) }
            // A noted file is kept for a later attempt.
            if file?.claim?.record == nil { file?.remove() }
        }
    }

    /// Makes staged contents durable.
    func syncContents(_ ids: [StageID]) throws(EffectFailure) {
        let files = ids.compactMap { file($0) }
        try root.attempt(.root) { workspace throws(Errno) in
            let own = files.filter { $0.status.device == workspace.status.device }
            try Durability.synchronize(count: own.count, whole: workspace.wholeSynchronization) {
                index throws(Errno) in
                try own[index].open(O_RDONLY)
            }
            // One sync does not reach other file systems.
            let others = files.filter { $0.status.device != workspace.status.device }
            try Durability.synchronize(count: others.count, whole: nil) { index throws(Errno) in
                try others[index].open(O_RDONLY)
            }
        }
    }

    // MARK: Transfers

    /// Writes all contents of `source` to a staged file.
    ///
    /// - Parameters:
    ///   - path: Where the file will probably be placed.
    ///   - progress: Called with the bytes written so far; returns false to abandon the transfer.
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        guard let file = await source.linked() else {
            return try await transfer(id, from: source, near: path, progress)
        }
        while true {
            switch linked.begin(file) {
            case .transfer:
                var staged: (hash: ContentHash, size: Int64)?
                defer {
                    linked.end(
                        file, with: staged.map { .init(place: .staged(id), hash: $0.hash, size: $0.size) })
                }
                let result = try await transfer(id, from: source, near: path, progress)
                staged = result
                return result
            case .wait(let end):
                await withCheckedContinuation { next in end.notify(queue: .global()) { next.resume() } }
                if !progress(0) { throw EffectFailure(.changed, Explanation(.abandoned)) }
            case .copy(let contents):
                if try copy(contents, as: id, like: source, near: path, progress) {
                    return (contents.hash, contents.size)
                }
                linked.forget(file)
            }
        }
    }

    /// Writes everything that `source` gives into a staged file.
    private func transfer(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        if let received = try await partials?.receive(from: source, near: path, progress) {
            remember(received.file, as: id)
            return (received.hash, received.size)
        }
        let moment = space.moment
        try space.check(for: source.stored, near: path)
        let new = try makeFile(id, near: path)
        do throws(EffectFailure) {
            let result = try await fill(new.file, from: source, near: path, progress)
            try keep(new, as: id, size: result.size, like: source, result.version, near: path)
            return (result.hash, result.size)
        } catch {
            new.remove()
            throw space.retried(error, since: moment, for: source, near: path)
        }
    }

    private func fill(
        _ file: Descriptor, from source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        var passed: Int64 = 0
        var written: Int64 = 0
        var measured: Int64 = 0
        func pass(_ bytes: Int) throws(EffectFailure) {
            passed += Int64(bytes)
            if !progress(passed) { throw EffectFailure(.changed, Explanation(.abandoned)) }
        }
        var hasHoles = false
        let result = try await ContentTransfer.run(source) { length throws(EffectFailure) in
            hasHoles = true
            try root.attempt(path) { _ throws(Errno) in try file.leaveOut(length) }
            try pass(length)
        } write: { part throws(EffectFailure) in
            try root.attempt(path) { _ throws(Errno) in try file.writeAll(part) }
            written += Int64(part.count)
            // Other programs write to the file system as well.
            if written - measured >= FreeSpace.measuredPart {
                measured = written
                try space.check(for: source.stored, written: written, near: path)
            }
            try pass(part.count)
        }
        if hasHoles { try root.attempt(path) { _ throws(Errno) in try file.setSize(result.size) } }
        return result
    }

    /// Remembers a filled file as staged.
    private func keep(
        _ new: NewFile, as id: StageID, size: Int64, like source: any ContentSource, _ version: Version?,
        near path: RelativePath
    ) throws(EffectFailure) {
        let status = try root.finish(new.file, size: size, like: source, at: path)
        let staged =
            new.spot.map {
                StagedFile(
                    $0.name, in: $0.directory, status: status, source: source.permissions, version: version)
            }
            ?? StagedFile(unnamed: new.file, status: status, source: source.permissions, version: version)
        remember(staged, as: id)
    }

    // MARK: Files with several names

    /// Fills a staged file with contents that are on this side already; false if they are gone or cannot be copied
    /// here.
    private func copy(
        _ contents: LinkedContents.Contents, as id: StageID, like source: any ContentSource, near path: RelativePath,
        _ progress: (Int64) -> Bool
    ) throws(EffectFailure) -> Bool {
        guard let (original, status) = original(of: contents), status.size == UInt64(contents.size) else {
            return false
        }
        try space.check(for: source.stored, near: path)
        let new = try makeFile(id, near: path)
        do throws(EffectFailure) {
            let isCopied = try root.attempt(path) { _ throws(Errno) in
                try new.file.copyContents(of: original, size: status.size, progress)
            }
            guard isCopied, let now = try? original.status(), isUnchanged(contents, status, now) else {
                new.remove()
                return false
            }
            try keep(new, as: id, size: contents.size, like: source, source.origin?.version, near: path)
            return true
        } catch {
            new.remove()
            // What the file system refuses to copy is transferred.
            return false
        }
    }

    /// Opens the file that holds contents which were staged before; nil if it no longer exists.
    private func original(of contents: LinkedContents.Contents) -> (Descriptor, FileStatus)? {
        switch contents.place {
        case .staged(let id):
            // Contents that fill a placeholder go from the staged file while they are copied.
            guard let file = file(id), let opened = try? file.open(O_RDONLY), let status = try? opened.status(),
                status.hasSameContents(as: file.status), (try? DiskKind(of: opened)) != .onDemand
            else { return nil }
            return (opened, status)
        case .published(let path, let version):
            return try? writers.open(path, expecting: version)
        }
    }

    /// Only the engine sees a staged file, which may get its name and permissions meanwhile.
    private func isUnchanged(_ contents: LinkedContents.Contents, _ before: FileStatus, _ now: FileStatus) -> Bool {
        guard now.hasSameContents(as: before) else { return false }
        switch contents.place {
        case .staged: return true
        case .published: return now.changed == before.changed
        }
    }

    /// A new file to write to, and where it is if it has a name.
    private struct NewFile {
        /// A name in a staging directory.
        struct Spot {
            var name: EntryName
            var directory: DirectoryHandle
        }

        var file: Descriptor
        var spot: Spot?

        func remove() {
            if let spot { try? spot.directory.removeFile(spot.name) }
            // It is still open.
            try? file.setSize(0)
        }
    }

    /// Creates a new file, which only its owner may access until it is published.
    private func makeFile(_ id: StageID, near path: RelativePath) throws(EffectFailure) -> NewFile {
        try root.attempt(path) { workspace throws(Errno) -> NewFile in
            // If the file system has no unnamed files, or the directory does not exist yet, the staging directory
            // reports any error.
            if mayStayUnnamed(on: workspace.kind),
                let file = try? workspace.directory.open(path.parent, O_RDWR | CLINUX_O_TMPFILE, permissions: 0o600)
            {
                return NewFile(file: file)
            }
            let staging = try root.workspace(near: path).area().staging()
            let spot = NewFile.Spot(name: stagedName(id), directory: staging)
            let file = try staging.open(spot.name, O_RDWR | O_CREAT | O_TRUNC, permissions: 0o600)
            return NewFile(file: file, spot: spot)
        }
    }

    /// Whether one more unnamed file can be kept open until it is placed: they may use a quarter of the descriptors
    /// that this process may have.
    private func mayStayUnnamed(on kind: DiskKind) -> Bool {
        // What fills a placeholder is named to the program that serves the folder.
        guard kind.isLocal, kind != .onDemand else { return false }
        return files.withLock { $0.count } < Self.unnamedLimit
    }

    private static let unnamedLimit = DescriptorLimit.raised() / 4

    private func stagedName(_ id: StageID) -> EntryName {
        EntryName("\(root.session)-\(id.rawValue)") ?? RandomName.component(prefix: root.session)
    }
}
