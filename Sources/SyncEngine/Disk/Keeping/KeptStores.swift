import Glibc
import Support
import SyncCore
import SystemPackage

/// All versions kept of one side of a folder, and how they are put back.
struct KeptStores {
    /// The kept versions on one file system.
    struct Holder {
        var replaced: ReplacedStore?
        var trash: DesktopTrash?
        /// Where the file system is mounted below the side's root.
        var prefix = RelativePath.root
    }

    let holders: [Holder]
    let side: Side
    /// The place to report for versions in the stores.
    var place: KeptVersion.Place { side == .local ? .store : .remote }

    /// Everything that can be put back, the newest first.
    func versions() throws(Errno) -> [KeptVersion] {
        var versions: [KeptVersion] = []
        try forEachVersion { versions.append($0) }
        return versions.sorted { ($0.date, $0.stored, $0.id) > ($1.date, $1.stored, $1.id) }
    }

    /// A part of it, and one version more where there are more.
    func versions(_ page: KeptPage) throws(Errno) -> [KeptVersion] {
        var page = page
        try forEachVersion { page.add($0) }
        return page.versions
    }

    private func forEachVersion(_ body: (KeptVersion) -> Void) throws(Errno) {
        for holder in holders {
            holder.trash?.forEachOwnEntry { entry in
                var entry = entry
                entry.path = RelativePath(holder.prefix.names + entry.path.names)
                body(entry)
            }
            for version in try holder.replaced?.versions() ?? [] {
                body(
                    KeptVersion(
                        id: PercentCoding.encode(path: version.identifier.bytes), path: version.path,
                        reason: version.reason, place: place, date: version.date, stored: version.stored,
                        size: version.size, isDirectory: version.directoryMode != nil))
            }
        }
    }

    /// Puts a version back below `root`, at its path or, if that is taken, beside it; returns its new path.
    func restore(_ version: KeptVersion, below root: DirectoryHandle) throws(EffectFailure) -> RelativePath {
        guard let kept = Self.entry(of: version), let name = version.path.name else {
            throw EffectFailure(.notFound, .notKept, side, version.path)
        }
        let isNoted = version.isDirectory && version.place == place
        let parent = try makeAgain(isNoted ? version.path : version.path.parent, below: root)
        do throws(Errno) {
            if isNoted {
                try root.directory(at: version.path.parent).descriptor.synchronize()
                for holder in holders { try holder.replaced?.discard(kept) }
                return version.path
            }
            let candidate = try putBack(find(version, kept), as: name, in: parent)
            return version.path.parent.appending(candidate)
        } catch .fileExists {
            throw EffectFailure(.exists, .tooManyRestored, side, version.path)
        } catch {
            throw EffectFailure(error, version.path, on: side)
        }
    }

    /// Permanently deletes a version from the stores; versions in the desktop's trash are left to the desktop.
    func delete(_ version: KeptVersion) throws(EffectFailure) {
        guard let kept = Self.entry(of: version), version.place == place else {
            throw EffectFailure(.notFound, .notKept, side, version.path)
        }
        try EffectFailure.attempt(version.path, on: side) { () throws(Errno) in
            for holder in holders { try holder.replaced?.expire(kept) }
        }
    }

    private static func entry(of version: KeptVersion) -> EntryName? {
        PercentCoding.decode(version.id).flatMap { EntryName($0) }
    }

    /// The directory at a path. Missing directories are created with the permissions that they had; if those are no
    /// longer known, only the owner gets access, until the user changes that.
    private func makeAgain(
        _ path: RelativePath, below root: DirectoryHandle
    ) throws(EffectFailure) -> DirectoryHandle {
        do throws(Errno) {
            if let directory = try? root.directory(at: path) { return directory }
            var modes: [RelativePath: UInt32] = [:]
            // The oldest come first, so that the newest take precedence.
            for holder in holders {
                for version in try holder.replaced?.versions() ?? [] { modes[version.path] = version.directoryMode }
            }
            return try root.creating(path) { modes[$0] ?? 0o700 }
        } catch .notDirectory, .tooManySymbolicLinkLevels {
            throw EffectFailure(.exists, .inTheWay, side, path)
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    /// A kept entry, and how to delete its note.
    private struct Found {
        var directory: DirectoryHandle
        var entry: EntryName
        var forgetNote: () -> Void
    }

    private func find(_ version: KeptVersion, _ kept: EntryName) throws(Errno) -> Found {
        // It is on its own file system, which may be mounted at the same place or at another.
        for holder in holders.reversed() {
            switch version.place {
            case .desktop:
                guard let trash = holder.trash, (try? trash.status(of: kept)) != nil else { continue }
                return Found(directory: trash.files, entry: kept) {
                    try? trash.info.removeFile(DesktopTrash.note(for: kept))
                }
            case .store, .remote:
                guard let replaced = holder.replaced, (try? replaced.directory.status(of: kept)) != nil else {
                    continue
                }
                return Found(directory: replaced.directory, entry: kept) { try? replaced.discard(kept) }
            }
        }
        throw .noSuchFileOrDirectory
    }

    /// Returns the name that the entry got; throws `EEXIST` if all are taken.
    private func putBack(
        _ found: Found, as name: EntryName, in parent: DirectoryHandle
    ) throws(Errno) -> EntryName {
        do throws(Errno) {
            let given = try Self.give(found.entry, of: found.directory, as: name, in: parent)
            try parent.descriptor.synchronize()
            found.forgetNote()
            return given
        } catch .improperLink {
            // On another file system: it is copied completely, under a name that is never synced, before it becomes
            // visible.
            let copy = try found.directory.copy(found.entry, to: parent)
            do throws(Errno) {
                let given = try Self.give(copy, of: parent, as: name, in: parent)
                try parent.descriptor.synchronize()
                try? found.directory.removeTree(found.entry)
                found.forgetNote()
                return given
            } catch {
                try? parent.removeTree(copy)
                throw error
            }
        } catch {
            throw error
        }
    }

    private static func give(
        _ entry: EntryName, of directory: DirectoryHandle, as name: EntryName, in parent: DirectoryHandle
    ) throws(Errno) -> EntryName {
        for number in 0..<RestoredName.attempts {
            let candidate = RestoredName.name(name, number)
            do throws(Errno) {
                try directory.renameWithoutReplacing(entry, to: candidate, in: parent)
                return candidate
            } catch .fileExists {
                continue
            } catch {
                throw error
            }
        }
        throw .fileExists
    }
}

extension DirectoryHandle {
    /// The directory at a path below this one; missing directories are created.
    fileprivate func creating(
        _ path: RelativePath, permissions: (RelativePath) -> UInt32
    ) throws(Errno) -> DirectoryHandle {
        var directory = self
        for (index, name) in path.names.enumerated() {
            do throws(Errno) {
                directory = try directory.directory(at: RelativePath([name]))
            } catch .noSuchFileOrDirectory {
                let made = RelativePath(Array(path.names.prefix(index + 1)))
                try directory.makeDirectory(name, permissions: permissions(made))
                directory = try directory.directory(at: RelativePath([name]))
            }
        }
        return directory
    }
}
