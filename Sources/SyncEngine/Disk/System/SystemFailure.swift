import SyncCore
import SystemPackage

extension EffectFailure {
    /// Converts a system error to a failure of an item.
    init(_ error: Errno, _ path: RelativePath, on side: Side) {
        switch error {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels: self.init(.notFound, .gone, side, path)
        case .improperLink: self.init(.denied, .onAnotherFileSystem, side, path)
        case .fileExists: self.init(.exists, .taken, side, path)
        case .directoryNotEmpty: self.init(.notEmpty, .notEmpty, side, path)
        // Of a mounted folder: the contents went away.
        case .noData: self.init(.changed, .changed, side, path)
        case .noSpace, .diskQuotaExceeded: self.init(.noSpace, .noSpace, side, path)
        case .readOnlyFileSystem: self.init(.denied, .readOnly, side, path)
        case .permissionDenied, .notPermitted: self.init(.denied, .denied, side, path)
        case .fileNameTooLong, .illegalByteSequence, .invalidArgument: self.init(.nameClash, .unusableName, side, path)
        case .resourceBusy: self.init(.denied, .inUse, side, path)
        case .fileTooLarge: self.init(.denied, .tooLarge, side, path)
        // ENOTCONN and ECONNABORTED: the program of a mounted folder has ended, before the call or during it.
        case .staleNFSFileHandle, .timedOut, .hostIsDown, .noRouteToHost, .networkUnreachable, .socketNotConnected,
            .connectionAbort:
            self.init(.unreachable, .unreachable, side, path, "\(error.rawValue)")
        default: self.init(.io, .failed, side, path, "\(error.rawValue)")
        }
    }

    /// Runs `body` and converts its system error to a failure of an item.
    static func attempt<Result>(
        _ path: RelativePath, on side: Side, _ body: () throws(Errno) -> Result
    ) throws(EffectFailure) -> Result {
        do throws(Errno) { return try body() } catch { throw EffectFailure(error, path, on: side) }
    }

    /// A failure with an explanation about an item on a side.
    init(_ reason: Reason, _ code: Explanation.Code, _ side: Side, _ path: RelativePath, _ more: String...) {
        self.init(reason, Explanation(code, side, ["\(path)"] + more))
    }
}
