internal import DBus
internal import RoundelBus
internal import Support

/// How long a folder is paused.
enum FolderPause: Equatable {
    case untilResumed
    /// Until this moment, in microseconds since 1970.
    case until(Int64)

    /// The hour for which a menu pauses a folder, in microseconds.
    private static let hour: Int64 = 3_600_000_000

    /// For an hour.
    static func forAnHour(from now: Int64) -> FolderPause { .until(now + hour) }

    /// Until the local day ends.
    static func untilTomorrow(from now: Int64) -> FolderPause { .until(LocalDay.start(1, after: now)) }

    /// Parses the options of Pause. A moment that is none must not become a pause for good.
    /// - Throws: `InvalidTime`.
    init(_ options: VariantMap, now: Int64) throws(WorkerError) {
        guard let value = options["until"] else {
            self = .untilResumed
            return
        }
        guard let end = value.int64 else {
            throw WorkerError(
                .invalidTime, tr("The value of “{1}” is of another type than the interface says.", "until"))
        }
        guard end > now else {
            throw WorkerError(.invalidTime, tr("A folder can be paused only until a moment that is still to come."))
        }
        self = .until(end)
    }

    /// When it ends by itself; nil if only a person ends it.
    var end: Int64? {
        switch self {
        case .untilResumed: nil
        case .until(let end): end
        }
    }
}

extension FolderSettings {
    /// The pause of the folder; nil while it is not paused.
    var pause: FolderPause? {
        get { paused ? pausedUntil.map { .until($0) } ?? .untilResumed : nil }
        set { (paused, pausedUntil) = (newValue != nil, newValue?.end) }
    }
}

/// When something about paused folders changes by itself. Pure.
struct PauseEnds {
    /// The ends of the pauses that end by themselves, in microseconds since 1970, by the folders' IDs.
    private let ends: [String: Int64]

    init(_ folders: [FolderSettings]) {
        ends = Dictionary(
            uniqueKeysWithValues: folders.compactMap { folder in folder.pause?.end.map { (folder.id, $0) } })
    }

    /// The folders whose pause is over.
    func over(at now: Int64) -> Set<String> { Set(ends.filter { $0.value <= now }.keys) }

    /// When to look again; nil for never. A pause of several days is told in other words every day.
    func next(after now: Int64) -> Int64? { ends.values.min().map { min($0, LocalDay.start(1, after: now)) } }
}
