import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// A directory tree on a disk or mounted share as a side of a folder.
///
/// Every path is resolved beneath the root that was opened when the endpoint was made, so a root that is moved away
/// and replaced is noticed (`root`), and nothing outside it is reached.
final class DiskEndpoint: Endpoint {
    /// What becomes of a version that is replaced or removed.
    enum Disposal: Sendable {
        /// Removed ones go to the desktop's trash, replaced ones to the folder's own store.
        case keep(DesktopTrash?)
        /// Both go, once it is certain that they were the expected versions.
        case discard
    }

    let path: FilePath
    let directory: DirectoryHandle
    let area: HiddenArea
    let replaced: ReplacedStore
    let disposal: Disposal
    let kind: FileSystemKind
    let versions: FileVersions
    /// For messages: "here" or "at the remote".
    let place: String
    let staged = Mutex<[StageID: StagedFile]>([:])
    /// Distinguishes this run's staged files from those of earlier ones and of other installations.
    let session: String

    /// A staged file.
    struct StagedFile: Sendable {
        var name: FilePath.Component
        var status: FileStatus
    }

    /// Opens the tree at `path` and what the engine keeps beside it, and removes what earlier runs left staged.
    ///
    /// - Parameter owner: The installation; staged files of others are left alone.
    init(
        path: FilePath, directory: DirectoryHandle, area: HiddenArea, disposal: Disposal, place: String, owner: String
    ) throws(Errno) {
        self.path = path
        self.directory = directory
        self.area = area
        self.disposal = disposal
        self.place = place
        replaced = ReplacedStore(area.replaced)
        kind = try FileSystemKind(of: directory.descriptor)
        versions = FileVersions(kind: kind)
        session = "\(owner)-\(RandomName.component().string)"
        try area.removeLeftovers { $0.string.hasPrefix(owner + "-") }
        try replaced.prune(now: Self.seconds())
        try calibrate()
    }

    func root() -> RootState {
        do throws(Errno) {
            let found = try DirectoryHandle(absolute: path)
            guard let identity = try RootIdentity.read(from: found) else {
                return .present(identity: unmarked(try found.descriptor.status()), generation: .none)
            }
            return .present(identity: identity.token, generation: .none)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return .missing("The folder \(path) is not there \(place). Bring it back or mount it.")
        } catch {
            return .unreachable("The folder \(path) cannot be opened \(place): \(error).")
        }
    }

    /// A root without a mark, or that replaced the marked one, is known by what it is.
    private func unmarked(_ status: FileStatus) -> Token {
        versions.version(of: status).identity
    }

    private func calibrate() throws(Errno) {
        guard kind != .local else { return }
        let name = RandomName.component(prefix: session)
        let file = try area.staging.open(FilePath(root: nil, [name]), O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        versions.calibrate(changed: try file.status().changed)
        try area.staging.removeFile(name)
    }

    /// Seconds since 1970.
    static func seconds() -> Int64 { Int64(time(nil)) }

    /// Runs `body`, its errors told as failures about `path`.
    func attempt<Result>(
        _ path: RelativePath, _ body: () throws(Errno) -> Result
    ) throws(EffectFailure) -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw EffectFailure(error, path, in: place)
        }
    }

    /// The failure that something else than the expected version is there.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, "“\(path)” changed meanwhile \(place).")
    }
}

extension RootIdentity {
    /// The identity as the session compares it.
    var token: Token {
        Token(Array(mark.utf8) + withUnsafeBytes(of: inode.littleEndian) { Array($0) })
    }
}
