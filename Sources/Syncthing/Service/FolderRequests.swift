internal import RoundelBus
internal import Support

/// What a person has Syncthing do with its folders, and what became of it in words.
struct FolderRequests {
    /// Called when it is done, or with the reason why it is not.
    typealias Finish = (Result<Void, RoundelError>) -> Void

    /// Nil while Syncthing cannot be asked.
    let client: RestClient?
    /// Why it cannot.
    let absence: String?

    func rescan(_ folder: FolderSettings, below name: String?, _ finished: @escaping Finish) {
        send(.scan(folder.id, below: name), finished)
    }

    func setPaused(_ isPaused: Bool, _ folder: FolderSettings, _ finished: @escaping Finish) {
        send(.pause(folder.id, isPaused), finished)
    }

    func override(_ folder: FolderSettings, _ finished: @escaping Finish) { send(.override(folder.id), finished) }
    func revert(_ folder: FolderSettings, _ finished: @escaping Finish) { send(.revert(folder.id), finished) }

    /// Pauses or resumes folders one after the other: each changes the same file of settings.
    func setPaused(_ isPaused: Bool, _ folders: [FolderSettings], _ finished: @escaping Finish) {
        guard let folder = folders.first else { return finished(.success(())) }
        setPaused(isPaused, folder) { result in
            guard case .success = result else { return finished(result) }
            setPaused(isPaused, Array(folders.dropFirst()), finished)
        }
    }

    private func send(_ request: RestRequest, _ finished: @escaping Finish) {
        guard let client else {
            return finished(.failure(RoundelError(.failed, (absence ?? tr("Syncthing is not running")) + ".")))
        }
        client.send(request) { outcome in
            switch outcome {
            case .answer(200..<300, _): finished(.success(()))
            case .answer(let status, _):
                finished(.failure(RoundelError(.failed, tr("Syncthing refused this ({1}).", "\(status)"))))
            case .failed: finished(.failure(RoundelError(.failed, tr("Syncthing has ended before it was done."))))
            }
        }
    }
}
