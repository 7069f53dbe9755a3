internal import DBus
internal import Glibc
internal import RoundelBus
internal import Synchronization
internal import SystemPackage

/// Places are looked at on this loop only once they have answered elsewhere: one on a file system that does not answer
/// would stop every folder.
extension SyncService {
    /// Goes on with a call once the places that it names answer, and every folder and remote there is, since they are
    /// compared with it; fails it where one does not, and where `body` throws.
    func afterAsking(_ call: MethodCall, _ places: [String], _ body: @escaping () throws -> Void) {
        let paths = places.compactMap { text -> FilePath? in
            if let item = try? ItemURI(text) { return item.filePath }
            return text.hasPrefix("/") ? FilePath(text) : nil
        }
        whenPlacesAnswer(paths) {
            do {
                try body()
            } catch let error as WorkerError {
                call.fail(error.busError)
            } catch {
                call.fail(WorkerError(.failed, "\(error)").busError)
            }
        } else: { error in
            call.fail(error.busError)
        }
    }

    /// How long the places may take to answer, in milliseconds.
    private static let placePatience = 5_000

    private func whenPlacesAnswer(
        _ paths: [FilePath], _ body: @escaping () -> Void, else refuse: @escaping (WorkerError) -> Void
    ) {
        var places = paths
        for unit in units {
            places.append(unit.uri.filePath)
            if case .directory(let remote) = unit.remoteAddress { places.append(remote) }
        }
        let round = AnswerRound(places)
        blocking.run(within: Self.placePatience, { round.ask() }) { answer in
            if answer != nil { return body() }
            let place = round.waitsFor.map { "“\($0)” does not answer" } ?? "A synced folder does not answer"
            refuse(WorkerError(.failed, "\(place). Check its disk or connection, or unmount it, then try again."))
        }
    }
}

/// Places that are asked one after the other, on a thread that may wait for them.
private final class AnswerRound: Sendable {
    private let places: [FilePath]
    private let current = Mutex<FilePath?>(nil)

    /// The place that has not answered yet.
    var waitsFor: FilePath? { current.withLock { $0 } }

    init(_ places: [FilePath]) {
        self.places = places
    }

    func ask() {
        for place in places {
            current.withLock { $0 = place }
            // Whether it is there, and what its path leads through.
            free(place.withPlatformString { realpath($0, nil) })
            let descriptor = place.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
            if descriptor >= 0 { close(descriptor) }
        }
        current.withLock { $0 = nil }
    }
}
