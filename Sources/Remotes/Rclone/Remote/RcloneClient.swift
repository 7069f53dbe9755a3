internal import Glibc
internal import Remotes
internal import Support
internal import SyncCore
package import SyncEngine
internal import Synchronization
internal import SystemPackage

/// Sends requests about one place on a remote: reads what is there and changes it.
package final class RcloneClient: Sendable {
    /// The place.
    package let location: RcloneLocation
    let service: RcloneService
    private let pace: TransferPace
    private let known: Mutex<RcloneTraits?>

    /// A client that has made no request yet.
    ///
    /// - Parameters:
    ///   - traits: What its backend can do; nil to ask.
    ///   - pace: The speed limit for contents of files.
    package init(
        _ location: RcloneLocation, _ service: RcloneService, traits: RcloneTraits? = nil,
        pace: TransferPace = TransferPace()
    ) {
        self.location = location
        self.service = service
        self.pace = pace
        known = Mutex(traits)
    }

    private var limits: RcloneLimits { service.limits }

    /// What the backend can do. Asked once; rclone knows it without contacting the service.
    package func traits() async throws(RcloneFailure) -> RcloneTraits {
        if let traits = known.withLock({ $0 }) { return traits }
        let info: RcloneInfo = try await service.ask(
            "operations/fsinfo", ["fs": .text(location.fileSystem())], within: limits.answer)
        let traits = RcloneTraits(info)
        known.withLock { $0 = traits }
        return traits
    }

    // MARK: Looking

    /// The contents of a directory.
    struct Found: Sendable {
        var entries: [ListedEntry] = []
        /// All names, including those of the engine and unusable ones.
        var names: [String] = []
        /// Whether there are certainly no others.
        var isComplete = true
    }

    /// The entries of a directory. Any item that does not belong to it makes this fail: nothing may be concluded from a
    /// listing that is truncated or of something else.
    func list(_ path: RelativePath) async throws(RcloneFailure) -> Found {
        let versions = RcloneVersions(traits: try await traits())
        let directory = try text(path)
        let listing: RcloneListing = try await service.ask(
            "operations/list",
            ["fs": .text(location.fileSystem()), "remote": .text(directory), "opt": versions.options],
            within: limits.longAnswer)
        return try Self.read(listing.list, of: directory, isRoot: path.isRoot, versions)
    }

    /// The directories in a directory.
    ///
    /// - Parameter most: The most that are returned.
    func directories(in path: RelativePath, most: Int) async throws(RcloneFailure) -> FoundDirectories {
        let listing: RcloneListing = try await service.ask(
            "operations/list",
            [
                "fs": .text(location.fileSystem()), "remote": .text(try text(path)),
                "opt": ["dirsOnly": true, "noModTime": true, "noMimeType": true],
            ], within: limits.longAnswer)
        let names = Set(listing.list.filter(\.isDirectory).compactMap { EntryName($0.name) })
        return FoundDirectories(
            names.filter { $0 != RcloneArea.name && $0 != RcloneArea.keeper }.map { FoundDirectories.Directory($0) },
            most: most)
    }

    static func read(
        _ items: [RcloneItem], of directory: String, isRoot: Bool, _ versions: RcloneVersions
    ) throws(RcloneFailure) -> Found {
        let now = now()
        var found = Found()
        var entries: [EntryName: ListedEntry?] = [:]
        for item in items {
            guard item.path == (isRoot ? item.name : directory + "/" + item.name), let name = EntryName(item.name)
            else {
                throw RcloneFailure(.malformed)
            }
            found.names.append(item.name)
            if name == RcloneArea.keeper || isRoot && name == RcloneArea.name { continue }
            // Bytes that are not UTF-8 arrive as this character, and some services have two items of one name.
            guard !item.name.unicodeScalars.contains("\u{FFFD}"),
                let (kind, version) = try versions.entry(item, now: now),
                entries[name] == nil
            else {
                found.isComplete = false
                entries[name] = .some(nil)
                continue
            }
            entries[name] = ListedEntry(name: name, kind: kind, version: version)
        }
        found.entries = entries.values.compactMap { $0 }
        return found
    }

    /// The item at a path; nil if there is none.
    func entry(_ path: RelativePath) async throws(RcloneFailure) -> ListedEntry? {
        let traits = try await traits()
        guard let name = path.name else {
            _ = try await list(.root)
            return ListedEntry(name: .root, kind: .directory, version: Version(identity: .none, tag: .none, size: 0))
        }
        // If asked for one spelling, such a backend also returns an item with another one.
        if traits.foldsCase { return try await neighbours(of: path)?.entries.first { $0.name == name } }
        let versions = RcloneVersions(traits: traits)
        let asked = try text(path)
        let answer: RcloneEntry = try await service.ask(
            "operations/stat",
            ["fs": .text(location.fileSystem()), "remote": .text(asked), "opt": versions.options], within: limits.answer
        )
        guard let item = answer.item else { return nil }
        guard item.path == asked, let (kind, version) = try versions.entry(item, now: Self.now()) else {
            throw RcloneFailure(.malformed)
        }
        return ListedEntry(name: name, kind: kind, version: version)
    }

    /// The contents of a path's parent directory; nil if that does not exist.
    private func neighbours(of path: RelativePath) async throws(RcloneFailure) -> Found? {
        do throws(RcloneFailure) {
            return try await list(path.parent)
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// Fails if another name in the directory differs only in case, on a backend that ignores case.
    ///
    /// - Parameter except: A name that is about to disappear.
    func requireDistinct(_ path: RelativePath, except other: RelativePath? = nil) async throws(RcloneFailure) {
        guard try await traits().foldsCase, let name = path.name?.description else { return }
        let exempt = other?.parent == path.parent ? other?.name?.description : nil
        let names = try await neighbours(of: path)?.names ?? []
        let isTaken = names.contains { $0 != name && $0 != exempt && $0.lowercased() == name.lowercased() }
        if isTaken { throw RcloneFailure(.nameClash) }
    }

    /// Nanoseconds since 1970 by this computer's clock.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// A path as text, which rclone requires.
    private func text(_ path: RelativePath) throws(RcloneFailure) -> String {
        let text = path.names.map(\.description).joined(separator: "/")
        if text.utf8.count != path.names.reduce(max(0, path.names.count - 1), { $0 + $1.bytes.count }) {
            throw RcloneFailure(.nameClash)
        }
        return text
    }

    // MARK: Changes

    /// Creates a directory and its missing ancestors.
    func makeDirectory(_ path: RelativePath) async throws(RcloneFailure) {
        try await change("operations/mkdir", ["remote": .text(try text(path))])
    }

    /// Removes an empty directory.
    func removeDirectory(_ path: RelativePath) async throws(RcloneFailure) {
        try await change("operations/rmdir", ["remote": .text(try text(path))])
    }

    /// Removes a file.
    func removeFile(_ path: RelativePath) async throws(RcloneFailure) {
        try await change("operations/deletefile", ["remote": .text(try text(path))])
    }

    private func change(_ command: String, _ input: [String: RcloneValue]) async throws(RcloneFailure) {
        let place: [String: RcloneValue] = ["fs": .text(location.fileSystem())]
        let _: RcloneNothing = try await service.call(
            command, input.merging(place) { $1 }, within: limits.answer)
    }

    /// Moves a file, replacing an existing one.
    func moveFile(_ path: RelativePath, to target: RelativePath) async throws(RcloneFailure) {
        let fs = RcloneValue.text(location.fileSystem())
        let _: RcloneNothing = try await service.call(
            "operations/movefile",
            ["srcFs": fs, "srcRemote": .text(try text(path)), "dstFs": fs, "dstRemote": .text(try text(target))],
            // Some services have to copy it.
            within: limits.longAnswer)
    }

    /// Moves a directory with its contents to an unused path.
    func moveDirectory(_ path: RelativePath, to target: RelativePath) async throws(RcloneFailure) {
        _ = (try text(path), try text(target))
        let _: RcloneNothing = try await service.call(
            "sync/move",
            [
                "srcFs": .text(location.fileSystem(path)), "dstFs": .text(location.fileSystem(target)),
                "deleteEmptySrcDirs": true, "createEmptySrcDirs": true,
            ], within: limits.longAnswer)
    }

    // MARK: Contents

    /// Copies a local file to the remote, replacing an existing one.
    ///
    /// - Parameter progress: Called with the bytes sent so far; false cancels the upload.
    func upload(
        _ file: SpooledFile, to path: RelativePath, progress: (Int64) -> Bool = { _ in true }
    ) async throws(RcloneFailure) {
        let group = "roundel/\(file.name)"
        try await transfer(
            .up,
            [
                "srcFs": .text(file.directory.string), "srcRemote": .text(file.name.description),
                "dstFs": .text(location.fileSystem()), "dstRemote": .text(try text(path)), "_group": .text(group),
            ], progress: progress
        ) { [service, limits] in
            let statistics: RcloneStatistics? = try? await service.call(
                "core/stats", ["group": .text(group)], within: limits.answer)
            return statistics?.bytes
        }
        let _: RcloneNothing? = try? await service.call(
            "core/stats-delete", ["group": .text(group)], within: limits.answer)
    }

    /// Copies a file of the remote to this computer, in the order of its bytes.
    func fetch(_ path: RelativePath, into file: SpooledFile) async throws(RcloneFailure) {
        try await transfer(
            .down,
            [
                "srcFs": .text(location.fileSystem()), "srcRemote": .text(try text(path)),
                "dstFs": .text(file.directory.string), "dstRemote": .text(file.name.description),
                // A second attempt would start over while the bytes of the first are being read. rclone 1.63 and later
                // write a download under another name and rename it at the end, unless told to write in place.
                "_config": ["LowLevelRetries": 1, "Inplace": true],
            ], progress: { _ in true }
        ) { file.size }
    }

    private enum Event: Sendable {
        case ended(Result<Void, RcloneFailure>)
        case moved(Int64?)
    }

    /// Copies a file as long as there is progress.
    ///
    /// - Parameters:
    ///   - progress: Called regularly with the bytes transferred; false cancels the transfer.
    ///   - moved: Returns the bytes transferred so far, or nil if that is unknown.
    private func transfer(
        _ direction: TransferDirection, _ input: [String: RcloneValue], progress: (Int64) -> Bool,
        moved: @escaping @Sendable () async -> Int64?
    ) async throws(RcloneFailure) {
        let number = await service.beginTransfer(direction, limit: pace.limits[direction])
        let result = await watch(input, progress: progress) { [service, pace] in
            // The user may have changed the limit meanwhile, or another period may have begun.
            await service.changeTransfer(number, to: pace.limits[direction])
            return await moved()
        }
        await service.endTransfer(number)
        try result.get()
    }

    private func watch(
        _ input: [String: RcloneValue], progress: (Int64) -> Bool, moved: @escaping @Sendable () async -> Int64?
    ) async -> Result<Void, RcloneFailure> {
        let tick: @Sendable () async -> Event = {
            try? await Task.sleep(for: Patience.Rclone.progress, clock: .continuous)
            return .moved(Task.isCancelled ? nil : await moved())
        }
        return await withTaskGroup(of: Event.self) { group in
            group.addTask { [self] in .ended(await copy(input)) }
            group.addTask(operation: tick)
            var (last, changed) = (Int64(0), ContinuousClock.now)
            var failure: RcloneFailure?
            while let event = await group.next() {
                switch event {
                case .ended(let result):
                    group.cancelAll()
                    return failure.map { .failure($0) } ?? result
                case .moved(let bytes):
                    if let bytes, bytes != last { (last, changed) = (bytes, .now) }
                    if !progress(last) {
                        failure = RcloneFailure(.cancelled)
                    } else if ContinuousClock.now - changed > limits.silence {
                        failure = RcloneFailure(.silent)
                    }
                    if failure == nil { group.addTask(operation: tick) } else { group.cancelAll() }
                }
            }
            return .failure(RcloneFailure(.cancelled))
        }
    }

    private func copy(_ input: [String: RcloneValue]) async -> Result<Void, RcloneFailure> {
        do throws(RcloneFailure) {
            let _: RcloneNothing = try await service.call("operations/copyfile", input, within: nil)
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
