internal import SyncCore
internal import SystemPackage

extension DemandFailure {
    /// Whether it may be that the remote cannot be reached, which is not known yet.
    var mayBeOfTheRemote: Bool {
        switch reason {
        case .gone, .unsteady, .failed, .held: true
        case .offline, .denied, .noSpace, .inUse, .pinned, .onlyHere, .unsupported, .interrupted: false
        }
    }

    /// The error with which a program that opens a file is told why its contents could not be had.
    ///
    /// - Parameter isRemoteAway: Whether the remote cannot be reached: that explains failures of every kind.
    func errno(isRemoteAway: Bool) -> Errno {
        if isRemoteAway { return .networkUnreachable }
        return switch reason {
        case .offline: .networkUnreachable
        case .denied: .permissionDenied
        case .noSpace: .noSpace
        case .gone: .noSuchFileOrDirectory
        case .unsteady, .inUse: .resourceBusy
        case .pinned, .onlyHere, .failed, .held, .interrupted: .ioError
        case .unsupported: .notSupportedOnSocket
        }
    }
}
