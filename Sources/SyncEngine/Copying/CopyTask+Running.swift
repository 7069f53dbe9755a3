import CLinux
import Glibc
import Support
import SyncCore
import SystemPackage

extension CopyTask {
    /// Copies or moves one item after the other; ends at the first one that fails. Blocks for as long as that takes.
    ///
    /// Nothing is ever replaced: an item whose name is taken gets another one. A copy is written under a name that is
    /// never synced, and gets its own when it is complete, so that neither a person nor syncing meets a part of it.
    package func run(_ progress: CopyProgress) -> CopyOutcome {
        var outcome = CopyOutcome()
        do throws(CopyFailure) {
            let target = try openDestination()
            for item in items { try check(item) }
            let measured = try items.map { item throws(CopyFailure) in try Measure.of(item, progress) }
            try checkRoom(for: measured, in: target)
            for (index, item) in items.enumerated() {
                try place(item, index, in: target, progress, &outcome)
            }
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    /// The directory that the person chose, opened once: whatever takes its path meanwhile is not written to.
    private func openDestination() throws(CopyFailure) -> DirectoryHandle {
        do throws(Errno) {
            if destination.path.isRoot { return try DirectoryHandle(chosen: destination.root) }
            return try DirectoryHandle(absolute: destination.root).directory(at: destination.path)
        } catch .permissionDenied {
            throw CopyFailure(.unwritable, destination.path)
        } catch {
            throw CopyFailure(.noDestination, destination.path)
        }
    }

    /// Refuses what is not copied or moved by whatever path it was chosen.
    private func check(_ item: Place) throws(CopyFailure) {
        let shown = item.shown
        let (parent, name) = try TreeCopier.reading(shown) { () throws(Errno) in try item.open() }
        if ExcludePatterns.isOwn(RelativePath([name])) { throw CopyFailure(.own, shown) }
        for place in contentsPlaces.compactMap({ try? DirectoryHandle(place: $0) })
        where parent.isWithin(place) || place.isWithin(name, of: parent) {
            throw CopyFailure(.keepsContents, shown)
        }
        guard way == .move else { return }
        for place in unmovable.compactMap({ try? DirectoryHandle(place: $0) }) where place.isWithin(name, of: parent) {
            throw CopyFailure(.unmovable, shown)
        }
    }

    private func checkRoom(for measured: [Measure], in target: DirectoryHandle) throws(CopyFailure) {
        guard let status = try? target.descriptor.status() else { return }
        // A copy on the same file system may share its contents, and a move needs no room.
        let away = measured.filter { $0.device != status.device }
        let needed = away.reduce(0 as Int64) { $0.addingClamped($1.bytes) }
        var system = statvfs()
        guard needed > 0, fstatvfs(target.descriptor.raw, &system) == 0, system.f_blocks > 0 else { return }
        let (free, overflow) = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
        if !overflow, free < UInt64(needed) { throw CopyFailure(.noSpace, destination.path) }
    }

    private func place(
        _ item: Place, _ index: Int, in target: DirectoryHandle, _ progress: CopyProgress,
        _ outcome: inout CopyOutcome
    ) throws(CopyFailure) {
        let shown = item.shown
        let (parent, name) = try TreeCopier.reading(shown) { () throws(Errno) in try item.open() }
        guard !target.isWithin(name, of: parent) else { throw CopyFailure(.intoItself, shown) }
        if way == .move, let new = try moved(name, from: parent, to: target, shown) {
            outcome.placed.append(.init(index: index, name: new))
            return progress.count(files: 1)
        }
        let kind = try TreeCopier.reading(shown) { () throws(Errno) in try parent.status(of: name).kind }
        // Many files of a directory are made durable together, unless their originals are to go.
        let isOneByOne = way == .move || kind != .directory
        var copier = TreeCopier(progress, isDurable: isOneByOne)
        defer { outcome.leaveOut(copier.leftOut) }
        let staged = RandomName.component(prefix: CopyNotes.prefix)
        notes?.note(staged, in: target)
        var isLeft = false
        defer { if !isLeft { notes?.forget(staged) } }
        do throws(CopyFailure) {
            guard try copier.copy(name, of: parent, as: staged, in: target, at: shown) else { return }
            let new = try TreeCopier.writing(shown) { () throws(Errno) in
                if !isOneByOne { try target.descriptor.synchronizeFileSystem() }
                return try target.publish(staged, as: name)
            }
            outcome.placed.append(.init(index: index, name: new))
        } catch {
            do throws(Errno) { try target.removeCopy(staged) } catch { isLeft = error != .noSuchFileOrDirectory }
            throw error
        }
        guard way == .move else { return }
        try TreeCopier.writing(shown) { () throws(Errno) in try target.descriptor.synchronize() }
        let original = CopiedOriginal(name: name, parent: parent, shown: shown, copied: copier.copied)
        if !original.moveToTrash(dataHome: dataHome) { outcome.remaining.append(shown) }
    }

    /// Renames an item, which needs no copy.
    ///
    /// - Returns: Its new name; nil if the destination is on another file system.
    private func moved(
        _ name: EntryName, from parent: DirectoryHandle, to target: DirectoryHandle, _ shown: RelativePath
    ) throws(CopyFailure) -> EntryName? {
        // A rename to a place on the same mount fails for what the item or the destination is, and a copy would as well.
        let status = try TreeCopier.reading(shown) { () throws(Errno) in try parent.status(of: name) }
        guard let there = try? target.descriptor.status(), status.isOnSameMount(as: there), !status.isMountRoot else {
            return nil
        }
        if let here = try? parent.descriptor.status(), here.isSameDirectory(as: there) { return name }
        do throws(Errno) {
            let new = try parent.publish(name, as: name, in: target)
            try? target.descriptor.synchronize()
            try? parent.descriptor.synchronize()
            return new
        } catch .improperLink {
            return nil
        } catch {
            let isWritable = faccessat(target.descriptor.raw, ".", W_OK, AT_EACCESS) == 0
            throw CopyFailure(TreeCopier.reason(error, isWriting: !isWritable), shown)
        }
    }
}

/// How much is to be copied.
private struct Measure {
    var files = 0
    var bytes: Int64 = 0
    let device: UInt64

    /// Counts what an item holds, and has it expected.
    static func of(_ item: CopyTask.Place, _ progress: CopyProgress) throws(CopyFailure) -> Measure {
        let shown = item.shown
        let (parent, name, status) = try TreeCopier.reading(shown) { () throws(Errno) in
            let (parent, name) = try item.open()
            return (parent, name, try parent.status(of: name))
        }
        var measure = Measure(device: status.device)
        try measure.add(name, status, of: parent, at: shown, progress)
        progress.expect(files: measure.files, bytes: measure.bytes)
        return measure
    }

    private mutating func add(
        _ name: EntryName, _ status: FileStatus, of parent: DirectoryHandle, at path: RelativePath,
        _ progress: CopyProgress
    ) throws(CopyFailure) {
        if progress.isStopped { throw CopyFailure(.stopped, path) }
        switch status.kind {
        case .file:
            files += 1
            // Holes take no room; but those of a file whose contents are away will be filled.
            bytes = bytes.addingClamped(Int64(clamping: status.size))
        case .directory:
            let (inside, names) = try TreeCopier.reading(path) { () throws(Errno) in
                let inside = try parent.directory(at: RelativePath([name]))
                return (inside, try inside.names())
            }
            for entry in names where !ExcludePatterns.isOwn(RelativePath([entry])) {
                // What goes meanwhile is missed by nobody.
                guard let status = try? inside.status(of: entry) else { continue }
                try add(entry, status, of: inside, at: path.appending(entry), progress)
            }
        case .symlink: files += 1
        case .special: break
        }
    }
}

extension CopyTask.Place {
    /// Opens the directory that holds the item.
    fileprivate func open() throws(Errno) -> (DirectoryHandle, EntryName) {
        try DirectoryHandle(chosen: root).parent(of: path)
    }
}

extension CopyOutcome {
    fileprivate mutating func leaveOut(_ more: (count: Int, first: String)) {
        leftOut = (leftOut.count + more.count, leftOut.count == 0 ? more.first : leftOut.first)
    }
}

extension DirectoryHandle {
    /// Opens a directory that a person chose: its path may contain and be a symbolic link.
    fileprivate convenience init(chosen path: FilePath) throws(Errno) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let raw = try SystemCall.value { path.withPlatformString { Glibc.open($0, flags) } }
        self.init(Descriptor(owning: raw))
    }

    private static let attempts = 10_000

    /// Renames an entry to the first name for it that is not taken; returns that name.
    fileprivate func publish(
        _ name: EntryName, as wanted: EntryName, in target: DirectoryHandle? = nil
    ) throws(Errno) -> EntryName {
        for attempt in 1...Self.attempts {
            let candidate = CopyName.candidate(for: wanted, attempt: attempt)
            do throws(Errno) {
                try renameWithoutReplacing(name, to: candidate, in: target ?? self)
                return candidate
            } catch .fileExists {
                continue
            }
        }
        throw .fileExists
    }

    /// Opens a directory only to compare it with others: it need not be readable.
    fileprivate convenience init(place path: FilePath) throws(Errno) {
        let flags = CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC
        let raw = try SystemCall.value { path.withPlatformString { Glibc.open($0, flags) } }
        self.init(Descriptor(owning: raw))
    }

    /// Whether this directory is the one with a name in another directory, or below it.
    fileprivate func isWithin(_ name: EntryName, of parent: DirectoryHandle) -> Bool {
        guard let outer = try? parent.directory(at: RelativePath([name])) else { return false }
        return isWithin(outer)
    }

    /// Whether this directory is another one, or below it.
    fileprivate func isWithin(_ outer: DirectoryHandle) -> Bool {
        guard let wanted = try? outer.descriptor.status(), var here = try? descriptor.status() else { return false }
        var current = descriptor
        while !here.isSameDirectory(as: wanted) {
            let flags = CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC
            let raw = openat(current.raw, "..", flags)
            // Who may not look at what is above it has only the paths.
            guard raw >= 0 else { return isWithinByPath(outer) }
            current = Descriptor(owning: raw)
            guard let above = try? current.status() else { return isWithinByPath(outer) }
            if above.isSameDirectory(as: here) { return false }
            here = above
        }
        return true
    }

    private func isWithinByPath(_ outer: DirectoryHandle) -> Bool {
        guard let place = outer.place, let own = self.place else { return false }
        return own.starts(with: place)
    }

    /// The path by which the kernel knows this directory.
    var place: FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/fd/\(descriptor.raw)", &buffer, buffer.count - 1)
        return count > 0 ? FilePath(platformString: buffer) : nil
    }
}

extension FileStatus {
    fileprivate func isSameDirectory(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }
}
