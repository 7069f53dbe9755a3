internal import RoundelBus
internal import SyncCore
internal import WebDAV

/// Finds out whether a folder can be synced with a server, and what the server can do.
enum ServerCheck {
    /// Asks the server, which takes some seconds.
    ///
    /// - Parameter label: The display name of the folder.
    static func run(
        _ place: ServerPlace, _ connection: ServerConnection, label: String
    ) async -> Result<FoundServer, WorkerError> {
        let client = connection.client
        let trouble = ServerTrouble(place.location)
        do throws(DAVFailure) {
            try await requireCollection(client)
            let traits = try await ServerProbe(client, in: InterruptedProbes.newName()).run()
            return .success(FoundServer(traits, identity: try await FoundServer.identity(client)))
        } catch {
            let sentence = Explainer(folder: label).sentence(trouble.explanation(error, at: .root))
            return .failure(refusal(error, place, sentence))
        }
    }

    private static func requireCollection(_ client: DAVClient) async throws(DAVFailure) {
        try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { items in
            if items.contains(where: { $0.isCollection != true }) { throw DAVFailure(.notFound) }
        }
    }

    /// Why a login cannot start or failed.
    static func refusal(_ error: DAVFailure, _ place: ServerPlace) -> WorkerError {
        let words = Explainer(folder: place.name)
        return refusal(error, place, words.sentence(ServerTrouble(place.location).explanation(error, at: .root)))
    }

    /// Why a saved login cannot be used: `LoginNeeded` if the server refuses it, and `Failed` if it could not be tried.
    static func loginRefusal(_ error: DAVFailure, _ place: ServerPlace) -> WorkerError {
        switch error.reason {
        case .loginRefused: .loginRefused(place)
        case .refused where error.status.map { $0 >= 500 } ?? false: .loginNotTried(place, status: error.status ?? 0)
        case .unreachable, .silent, .cancelled, .untrusted, .movedElsewhere, .loginNeeded, .loginUnreadable, .denied,
            .notFound, .notAllowed, .conflict, .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .throttled,
            .malformed, .refused:
            WorkerError(.failed, refusal(error, place).message)
        }
    }

    private static func refusal(_ error: DAVFailure, _ place: ServerPlace, _ sentence: String) -> WorkerError {
        switch error.reason {
        case .loginNeeded: .loginNeeded(place)
        case .loginRefused: .loginRefused(place)
        case .loginUnreadable: WorkerError(.loginNeeded, sentence)
        case .denied, .notAllowed: .serverReadOnly(place)
        // Whoever does not know a method at all says 501.
        case .refused where error.status.map { $0 >= 500 && $0 != 501 } ?? false:
            .serverFails(place, status: error.status ?? 0)
        case .malformed, .refused: .noWebDAVServer(place)
        case .notFound, .conflict, .movedElsewhere, .untrusted: WorkerError(.invalidRemote, sentence)
        case .unreachable, .silent: .serverUnreachable(place)
        case .cancelled, .conditionFailed, .notEmpty, .locked, .noSpace, .tooLarge, .throttled:
            WorkerError(.failed, sentence)
        }
    }
}
