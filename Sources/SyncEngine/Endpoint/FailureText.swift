import SyncCore
import SystemPackage

extension EffectFailure {
    /// What an error of the system means for `path`, in words.
    ///
    /// - Parameter place: "here" or "at the remote", for the sentence.
    init(_ error: Errno, _ path: RelativePath, in place: String) {
        let name = path.isRoot ? "the folder" : "“\(path)”"
        switch error {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink:
            self.init(error == .improperLink ? .denied : .notFound, Self.missing(error, name, place))
        case .fileExists:
            self.init(.exists, "Something called \(name) is there already \(place).")
        case .directoryNotEmpty:
            self.init(.notEmpty, "The directory \(name) is not empty \(place).")
        case .noSpace, .diskQuotaExceeded:
            self.init(.noSpace, "There is no space left for \(name) \(place). Free some space; it is tried again.")
        case .readOnlyFileSystem:
            self.init(.denied, "\(name) cannot be written: the file system is read-only \(place).")
        case .permissionDenied, .notPermitted:
            self.init(.denied, "Permission for \(name) is denied \(place). Change its permissions or owner.")
        case .fileNameTooLong, .illegalByteSequence, .invalidArgument:
            self.init(.nameClash, "The name of \(name) cannot be used \(place). Rename it.")
        case .resourceBusy:
            self.init(
                .denied,
                "\(name) is in use \(place), perhaps because a file system is mounted there. Unmount it or end what uses it."
            )
        case .fileTooLarge:
            self.init(.denied, "\(name) is too large for the file system \(place).")
        case .staleNFSFileHandle, .timedOut, .hostIsDown, .noRouteToHost,
            .networkUnreachable, .socketNotConnected:
            self.init(.unreachable, "The place of \(name) does not answer \(place): \(error).")
        default:
            self.init(.io, "\(name) cannot be read or written \(place): \(error).")
        }
    }

    private static func missing(_ error: Errno, _ name: String, _ place: String) -> String {
        error == .improperLink
            ? "\(name) lies on another file system \(place), which cannot be synced from here."
            : "\(name) is not there any more \(place)."
    }
}
