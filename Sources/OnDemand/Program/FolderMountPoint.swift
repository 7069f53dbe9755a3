internal import CFuse
internal import Glibc
internal import MountProtocol
internal import Support
internal import SystemPackage

/// The directory that a folder is mounted at. Nobody may write into it while nothing is mounted there: it would be hidden
/// as soon as something is.
final class FolderMountPoint: Sendable {
    /// Why a folder cannot be mounted.
    enum Failure: Error {
        case noDirectory(Errno)
        /// Another file system than that of the contents, or something is mounted at it.
        case otherFileSystem
        case inUse
        case strays(Errno)
        case refused(Errno)

        /// What the log says of it.
        var logLine: String {
            switch self {
            case .noDirectory(let error): "The folder or its contents cannot be opened: \(error)."
            case .otherFileSystem:
                "The folder is not on the file system of its contents, or something is mounted at it."
            case .inUse: "The folder is mounted already."
            case .strays(let error):
                "What was written while the folder was not mounted cannot be brought in: \(error)."
            case .refused(let error): "The folder cannot be mounted: \(error). Is fusermount3 installed?"
            }
        }
    }

    private static let guarded: mode_t = 0o500
    private static let opened: mode_t = 0o700
    private static let options = "default_permissions,fsname=roundel,subtype=roundel"
    private static let attempts = 8

    private let path: String
    private let directory: BackingFile
    private let contents: BackingFile

    /// Takes what is left of a mount whose program has ended away, and the contents for this program alone.
    init(_ settings: MountSettings) throws(Failure) {
        path = settings.folder.string
        contents = try Self.open(settings.contents)
        guard flock(contents.raw, LOCK_EX | LOCK_NB) == 0 else { throw .inUse }
        directory = try Self.openAfterDeath(settings.folder)
        guard let here = try? directory.status(), let there = try? contents.status(), here.device == there.device,
            here.attributes.ino != there.attributes.ino
        else { throw .otherFileSystem }
    }

    /// The directory of the contents, which stays this program's as long as this object.
    var tree: BackingFile { contents }

    private static func open(_ path: FilePath) throws(Failure) -> BackingFile {
        do throws(Errno) {
            return BackingFile(
                owning: try checked {
                    path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
                })
        } catch {
            throw .noDirectory(error)
        }
    }

    /// Opens the folder. The program of a mount that is still there has ended: only it lets go of the contents.
    private static func openAfterDeath(_ folder: FilePath) throws(Failure) -> BackingFile {
        for _ in 0..<attempts {
            do throws(Failure) { return try open(folder) } catch {
                // Attributes may be cached, a directory to be opened is not.
                guard case .noDirectory(.socketNotConnected) = error else { throw error }
            }
            _ = folder.withPlatformString { cfuse_unmount($0) }
        }
        return try open(folder)
    }

    /// Mounts. What was written beneath is brought in first, and what came until nobody could write there any more.
    /// No other thread must run yet.
    func mount() throws(Failure) -> KernelDevice {
        // fusermount3 refuses a directory that the person may not write into.
        fchmod(directory.raw, Self.opened)
        defer { fchmod(directory.raw, Self.guarded) }
        try bringStrays()
        let device = cfuse_mount(path, Self.options)
        guard device >= 0 else { throw .refused(Errno(rawValue: -device)) }
        do throws(Failure) {
            try bringStrays()
        } catch {
            // They are seen at the next mount.
            log(.warning, error.logLine)
        }
        return KernelDevice(owning: device)
    }

    private func bringStrays() throws(Failure) {
        do throws(Errno) {
            let count = try StrayMover.move(from: directory, to: contents)
            if count > 0 { log(.notice, "Items written while the folder was not mounted were brought in: \(count).") }
        } catch {
            throw .strays(error)
        }
    }

    /// Takes the mount away.
    static func unmount(_ settings: MountSettings) -> Bool {
        settings.folder.withPlatformString { cfuse_unmount($0) } == 0
    }
}
