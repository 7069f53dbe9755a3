internal import CLinux
internal import Glibc
internal import SyncCore
internal import SyncEngine
internal import Synchronization
internal import SystemPackage

/// What to find out about places on disk before a folder is added or moved.
struct SurveyQuestions: Sendable {
    /// Directories that must respond.
    var places: Set<FilePath> = []
    /// Roots whose identity is needed, by their paths.
    var roots: [FilePath: any LocalEndpoint] = [:]

    /// Whether `facts` contains everything.
    func isAnswered(by facts: PlaceFacts) -> Bool {
        places.allSatisfy { facts.places[$0] != nil } && roots.keys.allSatisfy { facts.roots[$0] != nil }
    }
}

/// What was found out. Decisions based on it need no disk access.
struct PlaceFacts: Sendable {
    /// The item at a path.
    enum Kind: Sendable, Equatable {
        case directory
        /// A file, or a symbolic link.
        case other
        /// Nothing usable, and the reason.
        case missing(Errno)
    }

    /// One place.
    struct Place: Sendable {
        var kind: Kind
        var territory: Territory
    }

    /// All requested places.
    fileprivate(set) var places: [FilePath: Place] = [:]
    /// All requested roots; the value is nil if there is none.
    fileprivate(set) var roots: [FilePath: Token?] = [:]
}

/// Examines the places, one after the other, on a thread that may block.
final class PlaceSurvey: Sendable {
    private let questions: SurveyQuestions
    private let current = Mutex<FilePath?>(nil)

    /// The place that has not responded yet.
    var waitsFor: FilePath? { current.withLock { $0 } }

    init(_ questions: SurveyQuestions) {
        self.questions = questions
    }

    /// Returns when every place has responded.
    func run() -> PlaceFacts {
        // Opens all places before reading the mount table, because that may trigger automounts.
        for path in questions.places { asking(path) { Self.open(path) } }
        let mounts = MountedPlaces.mounts()
        var facts = PlaceFacts()
        for path in questions.places {
            asking(path) {
                facts.places[path] = PlaceFacts.Place(kind: Self.kind(of: path), territory: Territory(path, mounts))
            }
        }
        for (path, root) in questions.roots {
            asking(path) { facts.roots[path] = .some(Self.identity(of: root)) }
        }
        return facts
    }

    private func asking(_ path: FilePath, _ body: () -> Void) {
        current.withLock { $0 = path }
        body()
        current.withLock { $0 = nil }
    }

    private static func open(_ path: FilePath) {
        let descriptor = path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
        if descriptor >= 0 { close(descriptor) }
    }

    private static func kind(of path: FilePath) -> PlaceFacts.Kind {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return .missing(Errno(rawValue: errno)) }
        return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
    }

    private static func identity(of root: any LocalEndpoint) -> Token? {
        switch root.root() {
        case .present(let identity, _, _): identity
        case .missing, .unreachable: nil
        }
    }
}
