import Glibc
import SyncCore
import SystemPackage
import TestSupport

@testable import SyncEngine

/// A local folder and a directory remote in temporary directories, with what effects need.
struct EndpointWorld {
    let folder: TemporaryDirectory
    let remoteFolder: TemporaryDirectory
    let state: TemporaryDirectory
    let data: TemporaryDirectory
    let local: LocalFolder
    let remote: DirectoryRemote
    private let counter = Counter()

    private final class Counter {
        var next: UInt64 = 1
    }

    /// - Parameters:
    ///   - parent: The file system of the local folder.
    ///   - stateParent: The file system of the state and data directories.
    ///   - writers: Says whether a file is being written.
    init(
        in parent: String? = nil, stateIn stateParent: String? = nil,
        writers: @escaping @Sendable (Descriptor, DiskKind) -> WriterCheck.Answer = WriterCheck.check
    ) throws {
        folder = try TemporaryDirectory(in: parent)
        remoteFolder = try TemporaryDirectory(in: parent)
        state = try TemporaryDirectory(in: stateParent)
        data = try TemporaryDirectory(in: stateParent)
        local = LocalFolder(
            at: folder.path, stateDirectory: state.path, dataHome: data.path, owner: .constant("folder"),
            checkingWriters: writers)
        remote = DirectoryRemote(at: remoteFolder.path, owner: .constant("folder"), checkingWriters: writers)
    }

    func stage() -> StageID {
        defer { counter.next += 1 }
        return StageID(rawValue: counter.next)
    }

    /// The version of a local or remote file as it is now.
    func version(_ side: Side, _ path: String) throws -> Version {
        guard let entry = try endpoint(side).entry(RelativePath(text: path), in: .none) else {
            throw EffectFailure(.notFound, Explanation(.gone, side, path))
        }
        return entry.version
    }

    /// The local item at a path as it is now.
    func item(_ path: String) throws -> LocalItem {
        let path = RelativePath(text: path)
        guard let entry = try local.entry(path, in: .none) else {
            throw EffectFailure(.notFound, Explanation(.gone, .local, "\(path)"))
        }
        return LocalItem(path: path, kind: entry.kind, expected: entry.version)
    }

    func endpoint(_ side: Side) -> any DiskSide { side == .local ? local : remote }

    /// Copies the file at `path` to the other side, in place of `expected` there.
    @discardableResult
    func copy(_ path: String, from side: Side, replacing expected: Version? = nil) async throws -> Version {
        let id = try await stagedCopy(path, from: side)
        return try againWhileBusy {
            try endpoint(side.other).publish(id, at: RelativePath(text: path), replacing: expected)
        }
    }

    /// A child that another test starts has the files that are open at that moment until its program begins. What is busy
    /// is tried again by the engine, too.
    func againWhileBusy<Value>(_ body: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try body()
            } catch let failure as EffectFailure where failure.reason == .busy && ContinuousClock.now < deadline {
                usleep(1_000)
            }
        }
    }

    /// Stages the file at `path` on the other side.
    func stagedCopy(_ path: String, from side: Side) async throws -> StageID {
        let id = stage()
        let source = try againWhileBusy {
            try endpoint(side).open(RelativePath(text: path), expecting: version(side, path))
        }
        _ = try await endpoint(side.other).stage(id, from: source, near: RelativePath(text: path)) { _ in true }
        try await endpoint(side.other).syncContents([id])
        return id
    }
}

extension DiskSide {
    func workspace() throws(Errno) -> Workspace { try disk.root.workspace() }

    func stagedFile(_ id: StageID) -> StagedFile? { disk.staging.file(id) }

    /// Publishes with the permissions of the version that is replaced, or of any new file.
    func publish(_ id: StageID, at path: RelativePath, replacing expected: Version?) throws(EffectFailure) -> Version {
        try publish(id, at: path, replacing: expected, permissions: nil).version
    }
}

extension LocalFolder {
    /// Gives the name of an item to something else, with the permissions of what it displaces or of anything new.
    func displace(
        _ item: LocalItem, aside: EntryName, by newcomer: Newcomer
    ) throws(EffectFailure) -> (here: Version, aside: Version) {
        let (here, aside) = try displace(item, aside: aside, by: newcomer, permissions: nil)
        return (here.version, aside)
    }
}

extension StageID {
    init(rawValue: UInt64) { self.init(rawValue) }
}

extension RelativePath {
    init(text: String) {
        self.init(text.split(separator: "/").compactMap { EntryName(String($0)) })
    }
}
