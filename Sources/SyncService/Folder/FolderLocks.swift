internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The locks that the user sets on files of a folder, so that others do not write them meanwhile.
struct FolderLocks {
    /// What can be done with the lock of a file.
    enum Offer {
        case lock
        case unlock
    }

    private let items: FolderItems
    private let locking: any ItemLocking
    private let explainer: Explainer
    private let blocking: BlockingWork

    /// - Parameter locking: That of the remote; the result is nil if this is nil.
    init?(_ items: FolderItems, of locking: (any ItemLocking)?, explainer: Explainer, blocking: BlockingWork) {
        guard let locking else { return nil }
        (self.items, self.locking, self.explainer, self.blocking) = (items, locking, explainer, blocking)
    }

    /// What can be done with the lock of an item, as far as is known; nil for a directory, and where the server or somebody
    /// else's lock does not let it.
    func offer(for item: ItemURI) -> Offer? {
        guard locking.locksFiles, let node = items.node(at: item), let (access, kind) = items.access(to: node),
            kind == .file
        else { return nil }
        if access.facts.contains(.isOwnLock) { return .unlock }
        return access.facts.contains(.isLocked) || !access.facts.contains(.write) ? nil : .lock
    }

    /// Locks a file, or ends the user's lock.
    ///
    /// - Parameter answer: Called with the file's path at the remote, which has to be looked at.
    func set(
        _ isLocked: Bool, on item: ItemURI, answer: @escaping (Result<RelativePath, WorkerError>) -> Void
    ) {
        guard let place = items.node(at: item).flatMap({ items.remotePlace(of: $0) }) else {
            return answer(.failure(.notOnRemote(item)))
        }
        let isAsked = blocking.ask { [locking] () -> LockFailure? in
            do throws(LockFailure) {
                try await locking.setLock(isLocked, on: place.path)
                return nil
            } catch {
                return error
            }
        } answer: { (failure: LockFailure?) in
            switch failure {
            case nil: answer(.success(place.path))
            case .failed(let error)?:
                answer(.failure(WorkerError(.providerFailed, explainer.sentence(error.message))))
            case .refused?: answer(.failure(Self.refused(isLocked, item)))
            }
        }
        if !isAsked { answer(.failure(.tooMuchWaits)) }
    }

    private static func refused(_ isLocked: Bool, _ item: ItemURI) -> WorkerError {
        let path = ShownPath.short(item.filePath)
        return WorkerError(
            .providerFailed,
            isLocked
                ? tr("The server does not lock “{1}” for you. Somebody else may have locked it.", path)
                : tr("The server does not unlock “{1}”. It may not be locked any more.", path))
    }
}
