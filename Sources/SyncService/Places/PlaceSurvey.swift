internal import Glibc
internal import SyncCore
internal import SyncEngine
internal import Synchronization
internal import SystemPackage

/// What is to be found out about places on disk before a folder is added or moved.
struct PlaceQuestions: Sendable {
    /// Directories that must answer.
    var places: Set<FilePath> = []
    /// Folders whose identity is asked for, by their paths.
    var roots: [FilePath: any LocalEndpoint] = [:]

    /// Whether `facts` answers everything.
    func isAnswered(by facts: PlaceFacts) -> Bool {
        places.allSatisfy { facts.places[$0] != nil } && roots.keys.allSatisfy { facts.roots[$0] != nil }
    }
}

/// What was found out. To decide on it touches no disk.
struct PlaceFacts: Sendable {
    /// What stands at a path.
    enum Kind: Sendable, Equatable {
        case directory
        /// A file, or a symbolic link.
        case other
        /// Nothing that can be used, and why.
        case missing(Errno)
    }

    /// One place.
    struct Place: Sendable {
        var kind: Kind
        var territory: Territory
    }

    /// Every place that was asked for.
    fileprivate(set) var places: [FilePath: Place] = [:]
    /// Every root that was asked for; a nil value where there is none.
    fileprivate(set) var roots: [FilePath: Token?] = [:]
}

/// Asks the places, one after the other, on a thread that may wait for them.
final class PlaceSurvey: Sendable {
    private let questions: PlaceQuestions
    private let current = Mutex<FilePath?>(nil)

    /// The place that has not answered yet.
    var waitsFor: FilePath? { current.withLock { $0 } }

    init(_ questions: PlaceQuestions) {
        self.questions = questions
    }

    /// Returns when every place has answered.
    func run() -> PlaceFacts {
        // Whatever is mounted by being opened is mounted before the table of mounts is read.
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
