public import SystemPackage

/// Why a watcher could not start.
public enum FileWatchError: Error, Equatable, CustomStringConvertible {
    /// The system provided no inotify instance, event descriptor or thread.
    case cannotStart(what: String, Errno)

    /// A sentence for the user: what failed, why, and what to do.
    public var description: String {
        switch self {
        case .cannotStart(let what, .tooManyOpenFiles):
            "The file watcher cannot start: no \(what) is left for this user. "
                + "Close programs that watch files, or raise fs.inotify.max_user_instances with sysctl."
        case .cannotStart(let what, let errno):
            "The file watcher cannot start: the system gave it no \(what) (\(errno))."
        }
    }
}
