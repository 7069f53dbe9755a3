internal import CLinux
internal import Glibc
internal import MountProtocol
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Whether a folder can be one on demand. It blocks, and changes nothing.
struct OnDemandProbe: Sendable {
    /// Why it cannot.
    enum Obstacle: Error, Equatable, Sendable {
        /// The kernel does not let people mount file systems of their own.
        case noDevice
        /// `fusermount3` is not installed.
        case noHelper
        /// `roundel-mount` is not installed.
        case noProgram
        /// No file of the folder's file system can be without its contents.
        case noPlaceholders(Errno)
        /// The folder is the topmost directory of its file system.
        case ownFileSystem
        /// Roundel's state, or what runs, has no place.
        case noPlaces
    }

    let folder: FilePath
    let id: String
    let dataHome: FilePath

    /// Where the contents would be kept, or why they cannot be.
    func run() -> Result<FilePath, Obstacle> {
        if let obstacle = programObstacle { return .failure(obstacle) }
        guard
            let place = ContentsDirectory.choose(id, for: folder, dataHome: dataHome, device: ContentsDirectory.device)
        else {
            return .failure(.ownFileSystem)
        }
        do throws(Errno) { try tryPlaceholder() } catch { return .failure(.noPlaceholders(error)) }
        return .success(place)
    }

    private var programObstacle: Obstacle? {
        if MountPlaces(name: id) == nil { return .noPlaces }
        switch FuseSupport.found() {
        case .noDevice: return .noDevice
        case .noProgram: return .noHelper
        case .complete: return MountRunner.mountProgram == nil ? .noProgram : nil
        }
    }

    /// Has a nameless file with a mark and a hole, as the mount's program has when it starts.
    private func tryPlaceholder() throws(Errno) {
        let file = folder.withPlatformString { open($0, CLINUX_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600) }
        guard file >= 0 else { throw Errno(rawValue: errno) }
        defer { close(file) }
        let size: off_t = 1 << 20
        guard fsetxattr(file, Placeholder.attribute, [0], 1, 0) == 0, ftruncate(file, size) == 0,
            clinux_punch_hole(file, size) == 0
        else { throw Errno(rawValue: errno) }
    }
}

extension WorkerError {
    /// Why a folder cannot be one on demand, and what helps.
    init(_ obstacle: OnDemandProbe.Obstacle, folder: FilePath) {
        switch obstacle {
        case .noDevice:
            self.init(
                .noFuse,
                tr(
                    """
                    Folders on demand need FUSE, and “{1}” cannot be used. Load the kernel module \
                    “fuse”.
                    """, "/dev/fuse"))
        case .noHelper:
            self.init(
                .noFuse,
                tr("Folders on demand need “{1}”. Install the package “{2}”, then try again.", "fusermount3", "fuse3"))
        case .noProgram:
            self.init(
                .noFuse, tr("Folders on demand need “{1}”. Install Roundel again, then try again.", "roundel-mount"))
        case .noPlaceholders(let error):
            self.init(
                .unsupported,
                tr(
                    """
                    The file system of “{1}” cannot hold files whose contents are elsewhere ({2}). Use a folder on ext4, \
                    Btrfs or XFS.
                    """, ShownPath.short(folder), "\(error)"))
        case .ownFileSystem:
            self.init(
                .unsupported,
                tr(
                    """
                    “{1}” is a file system of its own. Contents are kept beside a folder on demand, so use a directory \
                    in it.
                    """, ShownPath.short(folder)))
        case .noPlaces:
            self.init(
                .failed, tr("Folders on demand need the variable XDG_RUNTIME_DIR, which the session does not set."))
        }
    }
}
