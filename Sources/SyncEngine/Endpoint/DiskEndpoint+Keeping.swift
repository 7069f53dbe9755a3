import Support
import SyncCore
import SystemPackage

extension DiskEndpoint: KeepsVersions {
    private static let attempts = 1_000

    func keptVersions() throws(EffectFailure) -> [KeptVersion] {
        var versions: [KeptVersion] = []
        for workspace in try attempt(.root, { _ throws(Errno) in try workspaces() }) {
            versions += (workspace.trash?.ownEntries() ?? []).map { entry in
                var entry = entry
                entry.path = RelativePath(workspace.prefix.names + entry.path.names)
                return entry
            }
            versions += try attempt(.root) { _ throws(Errno) in try workspace.replaced().versions() }.map { version in
                KeptVersion(
                    id: PercentCoding.encode(path: version.identifier.bytes), path: version.path,
                    reason: version.reason,
                    place: storePlace, date: version.date, size: version.size,
                    isDirectory: version.directoryMode != nil)
            }
        }
        return versions.sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }

    func restore(_ version: KeptVersion) throws(EffectFailure) -> RelativePath {
        guard let kept = PercentCoding.decode(version.id).flatMap({ EntryName($0) }), let name = version.path.name
        else {
            throw EffectFailure(.notFound, .notKept, side, version.path)
        }
        let isNoted = version.isDirectory && version.place == storePlace
        let parent = try makeAgain(isNoted ? version.path : version.path.parent)
        if isNoted {
            try attempt(version.path) { workspace throws(Errno) in
                try workspace.directory.directory(at: version.path.parent).descriptor.synchronize()
                for holder in try workspaces() { try holder.replaced().discard(kept) }
            }
            return version.path
        }
        for number in 0..<Self.attempts {
            let candidate = Self.restoredName(name, number)
            do throws(Errno) {
                try putBack(version, kept, as: candidate, in: parent)
                try parent.descriptor.synchronize()
                return version.path.parent.appending(candidate)
            } catch .fileExists {
                continue
            } catch {
                throw EffectFailure(error, version.path, on: side)
            }
        }
        throw EffectFailure(.exists, .tooManyRestored, side, version.path)
    }

    private var storePlace: KeptVersion.Place {
        switch disposal {
        case .trash: .store
        case .store: .remote
        }
    }

    /// The directory at a path, made with its ancestors where they are missing: with the permissions that they had. Those
    /// of which nobody knows any more who was let in are for their owner alone, until a person opens them.
    private func makeAgain(_ path: RelativePath) throws(EffectFailure) -> DirectoryHandle {
        do throws(Errno) {
            let workspace = try workspace()
            if let directory = try? workspace.directory.directory(at: path) { return directory }
            var modes: [RelativePath: UInt32] = [:]
            // The oldest are first, so that the newest count.
            for holder in try workspaces() {
                for version in try holder.replaced().versions() { modes[version.path] = version.directoryMode }
            }
            return try workspace.directory.creating(path) { modes[$0] ?? 0o700 }
        } catch .notDirectory, .tooManySymbolicLinkLevels {
            throw EffectFailure(.exists, .inTheWay, side, path)
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    private func putBack(
        _ version: KeptVersion, _ kept: EntryName, as name: EntryName, in parent: DirectoryHandle
    ) throws(Errno) {
        // It is on the file system on which it was, mounted at the same place or at another.
        for workspace in try workspaces().reversed() {
            switch version.place {
            case .desktop:
                guard let trash = workspace.trash, (try? trash.status(of: kept)) != nil else { continue }
                return try trash.restore(kept, to: name, in: parent)
            case .store, .remote:
                let replaced = try workspace.replaced()
                guard (try? replaced.directory.status(of: kept)) != nil else { continue }
                try replaced.directory.renameWithoutReplacing(kept, to: name, in: parent)
                try? replaced.discard(kept)
                return
            }
        }
        throw .noSuchFileOrDirectory
    }

    /// The name itself, then `name (restored).ext`, `name (restored 2).ext` and so on, within 255 bytes.
    private static func restoredName(_ name: EntryName, _ number: Int) -> EntryName {
        guard number > 0 else { return name }
        let mark = Array((number == 1 ? " (restored)" : " (restored \(number))").utf8)
        let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")).flatMap {
            $0 > 0 && name.bytes.count - $0 <= 16 ? $0 : nil
        }
        let ext = name.bytes[(dot ?? name.bytes.count)...]
        let stem = name.bytes[..<(dot ?? name.bytes.count)].prefix(255 - mark.count - ext.count)
        return EntryName(Array(stem) + mark + Array(ext)) ?? name
    }
}

extension DirectoryHandle {
    /// The directory at a path below this one, made with its ancestors where they are missing.
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
