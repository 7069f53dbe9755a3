import SystemPackage

/// A command to the watcher's thread.
enum Command: Sendable {
    case setFolder(FolderID, FilePath, recursive: Bool)
    case removeFolder(FolderID)
    case observe(FilePath)
    case unobserve(FilePath)
    case follow(PathAlias)
    case unfollow(FilePath)
    case verify(FilePath, [FilePath.Component])
    case flush(FolderID, token: UInt64)
    case resolve(FilePath, token: UInt64)
    case locate(FilePath, token: UInt64)
    case finishResolving(serial: UInt64, PathResolution)
    case pause(PauseGate)
    case stop
}
