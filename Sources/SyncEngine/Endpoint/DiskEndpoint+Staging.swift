import CLinux
import Dispatch
import Glibc
import Support
import SyncCore
import SystemPackage

extension DiskEndpoint {
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        guard let file = await source.linked() else {
            return try await transfer(id, from: source, near: path, progress)
        }
        while true {
            switch linkedContents.begin(file) {
            case .transfer:
                var staged: (hash: ContentHash, size: Int64)?
                defer {
                    linkedContents.end(
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
                linkedContents.forget(file)
            }
        }
    }

    /// Writes everything that `source` gives into a staged file.
    private func transfer(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        if let origin = source.origin, let claim = transfers?.claim(origin),
            let result = try await receive(id, from: source, origin, claim, near: path, progress)
        {
            return result
        }
        let moment = givenRoom.moment
        try checkSpace(for: source.stored, near: path)
        let new = try attempt(path) { workspace throws(Errno) in
            try makeFile(id, near: path.parent, in: workspace)
        }
        do throws(EffectFailure) {
            let result = try await fill(new.file, from: source, near: path, progress)
            try keep(new, as: id, size: result.size, like: source, near: path)
            return result
        } catch {
            new.remove()
            throw retried(error, if: makesRoom(after: error, since: moment, for: source, near: path))
        }
    }

    private func fill(
        _ file: Descriptor, from source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
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
            try attempt(path) { _ throws(Errno) in try file.leaveOut(length) }
            try pass(length)
        } write: { part throws(EffectFailure) in
            try attempt(path) { _ throws(Errno) in try file.writeAll(part) }
            written += Int64(part.count)
            // Other programs write to the file system as well.
            if written - measured >= Self.measuredPart {
                measured = written
                try checkSpace(for: source.stored, written: written, near: path)
            }
            try pass(part.count)
        }
        if hasHoles { try attempt(path) { _ throws(Errno) in try file.setSize(result.size) } }
        return (result.hash, result.size)
    }

    /// Remembers a filled file as staged.
    private func keep(
        _ new: NewFile, as id: StageID, size: Int64, like source: any ContentSource, near path: RelativePath
    ) throws(EffectFailure) {
        let status = try finish(new.file, size: size, like: source, near: path)
        let staged =
            new.spot.map { StagedFile($0.name, in: $0.directory, status: status, source: source.permissions) }
            ?? StagedFile(unnamed: new.file, status: status, source: source.permissions)
        remember(staged, as: id)
    }

    /// Gives a filled file the modification time of its source; returns its new status.
    func finish(
        _ file: Descriptor, size: Int64, like source: any ContentSource, near path: RelativePath
    ) throws(EffectFailure) -> FileStatus {
        let status = try attempt(path) { _ throws(Errno) in
            try file.setModified(source.modified)
            return try file.status()
        }
        guard status.size == UInt64(size) else { throw EffectFailure(.io, .wrongLength, side, path) }
        return status
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
        try checkSpace(for: source.stored, near: path)
        let new = try attempt(path) { workspace throws(Errno) in
            try makeFile(id, near: path.parent, in: workspace)
        }
        do throws(EffectFailure) {
            let isCopied = try attempt(path) { _ throws(Errno) in
                try new.file.copyContents(of: original, size: status.size, progress)
            }
            guard isCopied, let now = try? original.status(), isUnchanged(contents, status, now) else {
                new.remove()
                return false
            }
            try keep(new, as: id, size: contents.size, like: source, near: path)
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
            guard let file = stagedFile(id), let opened = try? file.open(O_RDONLY), let status = try? opened.status(),
                status.hasSameContents(as: file.status)
            else { return nil }
            return (opened, status)
        case .published(let path, let version):
            return try? openChecked(path, expecting: version)
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
    private func makeFile(
        _ id: StageID, near directory: RelativePath, in workspace: Workspace
    ) throws(Errno) -> NewFile {
        // If the file system has no unnamed files, or the directory does not exist yet, the staging directory reports
        // any error.
        if takesUnnamed(workspace),
            let file = try? workspace.directory.open(directory, O_RDWR | CLINUX_O_TMPFILE, permissions: 0o600)
        {
            return NewFile(file: file)
        }
        let (near, path) = try nearest(directory, in: workspace)
        let staging = try self.workspace(of: near, at: path).area().staging()
        let spot = NewFile.Spot(name: stagedName(id), directory: staging)
        let file = try staging.open(spot.name, O_RDWR | O_CREAT | O_TRUNC, permissions: 0o600)
        return NewFile(file: file, spot: spot)
    }

    /// The directory at a path or, if it does not exist yet, its nearest existing ancestor.
    func nearest(
        _ path: RelativePath, in workspace: Workspace
    ) throws(Errno) -> (DirectoryHandle, RelativePath) {
        var path = path
        while true {
            do throws(Errno) {
                return (try workspace.directory.directory(at: path), path)
            } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
                // If the root is gone, opening its hidden area reports that.
                guard !path.isRoot else { return (workspace.directory, path) }
                path = path.parent
            }
        }
    }

    func syncContents(_ ids: [StageID]) throws(EffectFailure) {
        let files = ids.compactMap { stagedFile($0) }
        try attempt(.root) { workspace throws(Errno) in
            let own = files.filter { $0.status.device == workspace.status.device }
            let fileSystem = workspace.directory.descriptor
            try Durability.synchronize(count: own.count, kind: workspace.kind, fileSystem: fileSystem) {
                index throws(Errno) in
                try own[index].open(O_RDONLY)
            }
            // One sync does not reach other file systems.
            let others = files.filter { $0.status.device != workspace.status.device }
            try Durability.synchronize(count: others.count, kind: .foreign, fileSystem: fileSystem) {
                index throws(Errno) in
                try others[index].open(O_RDONLY)
            }
        }
    }

    func discard(_ ids: [StageID]) {
        for id in ids {
            linkedContents.discarded(id)
            let file = unstage(id)
            // A noted file is kept for a later attempt.
            if file?.claim?.record == nil { file?.remove() }
        }
    }

    /// How many bytes of a file are written before free space is measured again.
    static let measuredPart: Int64 = 64 << 20

    /// Refuses a file if the rest of it would leave too little free space.
    func checkSpace(for size: Int64, written: Int64 = 0, near path: RelativePath) throws(EffectFailure) {
        guard isSpaceUnknown(for: size) else { return }
        var moment = givenRoom.moment
        guard var space = space(near: path) else { return }
        let rest = max(0, size - written)
        let floor = floor.bytes(for: size, total: space.total)
        if space.available - rest >= floor { return spaceIsKnown() }
        while makeRoom(
            for: floor.addingClamped(rest) - space.available, near: path, since: moment, onlyIfEnough: true)
        {
            moment = givenRoom.moment
            guard let now = self.space(near: path), now.available - rest < floor else { return }
            space = now
        }
        throw space.available < rest
            ? EffectFailure(.noSpace, .tooLittleSpace, side, path, "\(rest)", "\(space.available)")
            : EffectFailure(.noSpace, .nearlyFull, side, path, "\(rest)", "\(floor)")
    }

    /// After a transfer for which there was no space, and whose remains are removed: removes as much of what is kept as
    /// is missing, and tells whether anything was.
    ///
    /// - Parameters:
    ///   - moment: A moment of `givenRoom` before the transfer.
    ///   - arrived: Bytes of it that are kept for the next attempt.
    func makesRoom(
        after error: EffectFailure, since moment: Int, for source: any ContentSource, arrived: Int64 = 0,
        near path: RelativePath
    ) -> Bool {
        guard error.reason == .noSpace else { return false }
        // These were found before anything was written, and nothing more can give way.
        if error.message.code == .tooLittleSpace || error.message.code == .nearlyFull { return false }
        let rest = max(source.stored - arrived, 0)
        guard let space = space(near: path) else { return makeRoom(for: max(rest, 1), near: path, since: moment) }
        let missing = floor.bytes(for: source.stored, total: space.total).addingClamped(rest) - space.available
        return missing > 0 && makeRoom(for: missing, near: path, since: moment, onlyIfEnough: true)
    }

    /// The failure of a transfer; if there is room now, it is tried again at once.
    func retried(_ error: EffectFailure, if isRoomMade: Bool) -> EffectFailure {
        isRoomMade ? EffectFailure(.changed, error.message) : error
    }

    /// Removes the oldest versions kept on the file system of a path until this many bytes are free there, unless others
    /// made room since a moment of `givenRoom`; false if there was nothing to remove.
    ///
    /// - Parameter onlyIfEnough: Whether nothing is removed unless that makes enough room.
    func makeRoom(
        for bytes: Int64, near path: RelativePath, since moment: Int, onlyIfEnough: Bool = false
    ) -> Bool {
        guard let (near, place) = try? nearest(path.parent, in: workspace()),
            let own = try? workspace(of: near, at: place)
        else { return false }
        return makeRoom(for: bytes, in: own, since: moment, onlyIfEnough: onlyIfEnough)
    }

    /// Available and total bytes of a path's file system; nil if it does not report them.
    private func space(near path: RelativePath) -> (available: Int64, total: Int64)? {
        var available: UInt64 = 0
        var total: UInt64 = 0
        guard let near = try? nearest(path.parent, in: workspace()).0,
            clinux_file_system_space(near.descriptor.raw, &available, &total) == 0, total > 0
        else { return nil }
        // Larger numbers are not real, and sums of clamped numbers cannot overflow.
        return (Int64(clamping: min(available, 1 << 60)), Int64(clamping: min(total, 1 << 60)))
    }

    private func stagedName(_ id: StageID) -> EntryName {
        EntryName("\(session)-\(id.rawValue)") ?? RandomName.component(prefix: session)
    }
}
