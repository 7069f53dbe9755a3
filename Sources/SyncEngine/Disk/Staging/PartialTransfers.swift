import Glibc
import SyncCore
import SystemPackage

/// Large files that arrive from a server: a transfer that ends early is resumed later.
///
/// A partial file counts only for the version it was transferred from, and only if its hash is the noted one: the noted
/// bytes were durable before the note was. Anything after them is cut off.
struct PartialTransfers: Sendable {
    let root: DiskRoot
    let space: FreeSpace
    let ledger: TransferLedger

    /// The part of a file that has arrived, and its hasher.
    private struct Arrived: ~Copyable {
        let file: PartialFile
        let bytes: Int64
        var hasher: ContentHasher
    }

    /// Writes the missing part of a file into a file that is kept if the transfer ends early; nil if nothing can be
    /// noted, so that the file must be staged like any other.
    func receive(
        from source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (file: StagedFile, hash: ContentHash, size: Int64)? {
        guard let origin = source.origin, let claim = ledger.claim(origin) else { return nil }
        let directory = try root.attempt(path) { _ throws(Errno) in
            try root.workspace(near: path).area().staging()
        }
        guard let arrived = try arrived(from: source, origin, claim, in: directory, near: path, progress) else {
            return nil
        }
        let file = arrived.file
        let moment = space.moment
        do throws(EffectFailure) {
            let (hash, size, version) = try await fill(arrived, from: source, origin, claim, near: path, progress)
            let status = try root.finish(file.file, size: size, like: source, at: path)
            let staged = StagedFile(
                file.name, in: directory, status: status, source: source.permissions, version: version, claim: claim)
            return (staged, hash, size)
        } catch {
            if !error.leavesPartial || claim.record == nil {
                claim.forget()
                file.remove()
            }
            throw space.retried(
                error, since: moment, for: source, arrived: claim.record?.bytes ?? 0, near: path)
        }
    }

    /// The part of a file that arrived earlier, or a new file; nil if that cannot be noted.
    private func arrived(
        from source: any ContentSource, _ origin: TransferOrigin, _ claim: TransferClaim, in directory: DirectoryHandle,
        near path: RelativePath, _ progress: (Int64) -> Bool
    ) throws(EffectFailure) -> Arrived? {
        if let record = claim.record {
            if record.fits(origin), let hash = record.hash,
                let file = PartialFile(record.place, record.bytes, in: directory),
                let hasher = try file.hasher(
                    of: record.bytes, hash,
                    progress: { part, bytes throws(EffectFailure) in
                        source.add(skipped: part)
                        source.skip(to: bytes)
                        try Self.pass(bytes, progress)
                    })
            {
                return Arrived(file: file, bytes: record.bytes, hasher: hasher)
            }
            source.skip(to: 0)
            try? directory.removeFile(record.place)
            claim.forget()
        }
        guard let hasher = ContentHasher() else { throw EffectFailure(.io, Explanation(.noMemory)) }
        try space.check(for: source.stored, near: path)
        let file = try root.attempt(path) { _ throws(Errno) in try PartialFile(in: directory) }
        guard claim.begin(TransferRecord(origin, at: file.name)) else {
            file.remove()
            return nil
        }
        return Arrived(file: file, bytes: 0, hasher: hasher)
    }

    /// Writes the missing part, and regularly notes how much is durable.
    private func fill(
        _ arrived: consuming Arrived, from source: any ContentSource, _ origin: TransferOrigin, _ claim: TransferClaim,
        near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        let file = arrived.file
        let start = try await source.beginReading()
        var hasher = arrived.hasher
        if start != arrived.bytes {
            // The server sends the whole file.
            guard start == 0 else { throw EffectFailure(.io, .wrongLength, root.side.other, path) }
            guard let new = ContentHasher() else { throw EffectFailure(.io, Explanation(.noMemory)) }
            hasher = new
            _ = claim.begin(TransferRecord(origin, at: file.name))
        }
        try space.check(for: source.stored, written: start, near: path)
        try root.attempt(path) { _ throws(Errno) in try file.cut(to: start) }
        try Self.pass(start, progress)
        var (noted, measured) = (start, start)
        let (hash, size, version) = try await ContentTransfer.run(source, hasher, from: start) {
            length throws(EffectFailure) in
            try root.attempt(path) { _ throws(Errno) in try file.file.leaveOut(length) }
        } write: { part throws(EffectFailure) in
            try root.attempt(path) { _ throws(Errno) in try file.file.writeAll(part) }
        } passed: { size, hasher throws(EffectFailure) in
            if size - measured >= FreeSpace.measuredPart {
                measured = size
                try space.check(for: source.stored, written: size, near: path)
            }
            if size - noted >= TransferLedger.interval, let hash = hasher.current() {
                noted = size
                try root.attempt(path) { _ throws(Errno) in try file.file.synchronize() }
                claim.note(bytes: size, hash)
            }
            try Self.pass(size, progress)
        }
        try root.attempt(path) { _ throws(Errno) in
            try file.file.setSize(size)
            try file.file.synchronize()
        }
        // The program may end before the file is placed.
        claim.note(bytes: size, hash)
        return (hash, size, version)
    }

    private static func pass(_ bytes: Int64, _ progress: (Int64) -> Bool) throws(EffectFailure) {
        if !progress(bytes) { throw EffectFailure(.changed, Explanation(.abandoned)) }
    }

    /// Removes everything kept of a transfer; false if something may remain, so that it must be tried again.
    static func remove(_ record: TransferRecord, in root: DiskRoot) -> Bool {
        guard let workspaces = try? root.workspaces() else { return false }
        var isGone = true
        for workspace in workspaces {
            do throws(Errno) {
                try workspace.area().staging().removeFile(record.place)
            } catch .noSuchFileOrDirectory {
                // It is on another file system, or was placed already.
            } catch {
                isGone = false
            }
        }
        return isGone
    }
}
