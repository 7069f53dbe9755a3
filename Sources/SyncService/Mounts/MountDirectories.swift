internal import CLinux
internal import Glibc
internal import MountProtocol
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// The directories of a folder on demand, and what is done with them. Every function may block.
struct MountDirectories: Sendable {
    /// Where people and programs see the folder.
    let folder: FilePath
    /// The directory that keeps what is here, on the same file system.
    let contents: FilePath
    /// The file that tells `roundel-mount` both.
    let settings: FilePath
    /// Where that program listens. It leaves its socket behind, since another may listen there already when it ends.
    let socket: FilePath
    /// The folder's own directory of state.
    let state: FilePath

    /// How far ``carryOut(_:)`` came.
    enum Outcome: Equatable, Sendable {
        /// The folder can be mounted.
        case isReady
        /// It has to be unmounted first.
        case isMounted
        /// It is an ordinary folder.
        case isOrdinary
    }

    /// Why a directory cannot be used.
    enum Trouble: Error, Equatable, Sendable {
        case contentsMissing
        case folderMissing
        /// The contents of some files are at the remote alone.
        case placeholdersLeft
        case system(FilePath, Errno)
    }

    /// Takes a change of the directories as far as it can be taken now.
    ///
    /// - Parameter step: The change; nil for a folder that is on demand and stays so.
    func carryOut(_ step: OnDemandSettings.Step?) -> Result<Outcome, Trouble> {
        do throws(Trouble) {
            while true {
                switch MountPlan.next(step, hasContents: Self.isDirectory(contents), place) {
                case .moveBehind: try moveBehind()
                case .makeFolder: try makeFolder()
                case .mount:
                    try writeSettings()
                    return .success(.isReady)
                case .unmount: return .success(.isMounted)
                case .moveBack:
                    guard try moveBack(dropsPlaceholders: step == .removing) else { return .success(.isMounted) }
                case .done:
                    for remains in [settings, socket] { _ = remains.withPlatformString { unlink($0) } }
                    return .success(.isOrdinary)
                case .contentsMissing: throw .contentsMissing
                case .folderMissing: throw .folderMissing
                }
            }
        } catch {
            return .failure(error)
        }
    }

    /// Undoes what was done of a change to a folder on demand that failed. Gives whether the folder's directory is
    /// where it was.
    func takeBack() -> Bool {
        guard Self.isDirectory(contents) else { return true }
        return carryOut(.turningOff) == .success(.isOrdinary)
    }

    /// The folder's ID, by which its directory of state is named.
    private var owner: EntryName? { (state.lastComponent?.string).flatMap { EntryName(Array($0.utf8)) } }

    /// What is at the folder's place. A mount whose program has ended answers nothing, so that the kernel's table is asked.
    private var place: MountPlan.Folder {
        if isMounted { return .mounted }
        return Self.isDirectory(folder) ? .directory : .missing
    }

    /// Whether something is mounted at the folder's place.
    var isMounted: Bool {
        let parent = folder.removingLastComponent()
        var real = parent
        if let path = parent.withPlatformString({ realpath($0, nil) }) {
            real = FilePath(platformString: path)
            free(path)
        }
        guard let name = folder.lastComponent else { return false }
        real.append(name)
        return MountedPlaces.mounts().contains { $0.point == real }
    }

    private static func isDirectory(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    // MARK: Moving

    private func moveBehind() throws(Trouble) {
        var made = FilePath(root: contents.root)
        for component in contents.removingLastComponent().components {
            made.append(component)
            if made.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw failure(made) }
        }
        let moved = folder.withPlatformString { from in
            contents.withPlatformString { clinux_renameat2(AT_FDCWD, from, AT_FDCWD, $0, CLINUX_RENAME_NOREPLACE) }
        }
        guard moved == 0 else { throw failure(folder) }
        sync(contents, folder)
    }

    /// Nobody may write into it before it is mounted.
    private func makeFolder() throws(Trouble) {
        guard folder.withPlatformString({ mkdir($0, 0o500) }) == 0 else { throw failure(folder) }
        sync(folder)
    }

    /// The empty directory at the folder's place is replaced at once. False while the program of the mount works in the
    /// contents still, which it does for a while after the mount is gone.
    private func moveBack(dropsPlaceholders: Bool) throws(Trouble) -> Bool {
        let own = contents.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard own >= 0 else { throw failure(contents) }
        defer { close(own) }
        // The program has them alone as long as it runs, and does not begin before this is over.
        guard flock(own, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return false }
            throw failure(contents)
        }
        if isMounted { return false }
        let left: Int
        do throws(Errno) {
            if dropsPlaceholders { try dropPlaceholders() }
            left = try PlaceholderSweep(contents).count(atMost: 1)
        } catch {
            throw .system(contents, error)
        }
        // Without the mount, a placeholder is a file full of zeros.
        guard left == 0 else { throw .placeholdersLeft }
        let moved = contents.withPlatformString { from in folder.withPlatformString { rename(from, $0) } }
        guard moved == 0 else { throw failure(folder) }
        sync(folder, contents)
        if let owner { RemovedSide.removeEmptyAreas(in: folder, owner: owner) }
        return true
    }

    /// If this or what follows fails, the folder goes on: then what was dropped must not be taken for deletions.
    private func dropPlaceholders() throws(Errno) {
        let sweep = PlaceholderSweep(contents)
        guard try sweep.count(atMost: 1) > 0 else { return }
        try FolderClearing.begin(in: state)
        _ = try sweep.remove()
    }

    private func writeSettings() throws(Trouble) {
        let wanted = MountSettings(folder: folder, contents: contents)
        if (try? MountSettings.read(settings)) == wanted { return }
        do throws(Errno) { try SmallFile.replace(settings, with: Array(wanted.text.utf8)) } catch {
            throw .system(settings, error)
        }
    }

    private func failure(_ path: FilePath) -> Trouble { .system(path, Errno(rawValue: errno)) }

    /// Makes the names of these places durable: the settings change only after that.
    private func sync(_ places: FilePath...) {
        for place in places {
            let directory = place.removingLastComponent()
            let descriptor = directory.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            guard descriptor >= 0 else { continue }
            fsync(descriptor)
            close(descriptor)
        }
    }
}

extension MountDirectories {
    /// The directories of a folder on demand; nil for an ordinary one, and if there is no place for its settings.
    init?(_ settings: FolderSettings, at folder: FilePath, _ places: WorkerPlaces) {
        guard let chosen = settings.onDemand, let mount = MountPlaces(name: settings.id) else { return nil }
        let given = chosen.contents.flatMap { try? ItemURI($0) }?.filePath
        self.init(
            folder: folder, contents: given ?? ContentsDirectory.usual(settings.id, dataHome: places.dataHome),
            settings: mount.settings, socket: mount.socket, state: places.state(of: settings.id))
    }
}
