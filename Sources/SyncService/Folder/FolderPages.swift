internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import WebDAV

/// The pages in a browser and the share links that a folder's server has for its items.
struct FolderPages {
    /// Whether the items have pages.
    var showsItems: Bool { server.traits.current.hasItemPages }
    /// Whether the items can be shared by links.
    var givesShareLinks: Bool { server.traits.current.givesShareLinks }
    private let items: FolderItems
    private let server: ServerConnection
    private let explainer: Explainer
    private let trouble: ServerTrouble
    private let blocking: BlockingWork

    /// - Parameter server: The server; the result is nil if this is nil.
    init?(_ items: FolderItems, server: ServerConnection?, explainer: Explainer, blocking: BlockingWork) {
        guard let server else { return nil }
        (self.items, self.server, self.explainer, self.blocking) = (items, server, explainer, blocking)
        trouble = ServerTrouble(server.client.location)
    }

    /// Whether an item exists on the server, as far as known.
    func isThere(_ item: ItemURI) -> Bool { place(of: item) != nil }

    private func place(of item: ItemURI) -> (path: RelativePath, isDirectory: Bool)? {
        items.node(at: item).flatMap { items.remotePlace(of: $0) }
    }

    /// Requests the address of an item's page.
    func page(of item: ItemURI, answer: @escaping (Result<String, WorkerError>) -> Void) {
        guard let place = place(of: item) else { return answer(.failure(.notOnRemote(item))) }
        ask { [server] () -> Result<String?, DAVFailure> in
            do throws(DAVFailure) {
                return .success(try await server.page(of: place.path, isDirectory: place.isDirectory))
            } catch {
                return .failure(error)
            }
        } answer: { (result: Result<Result<String?, DAVFailure>, WorkerError>) in
            answer(
                result.flatMap { result in
                    switch result {
                    case .success(let page?): .success(page)
                    case .success(nil): .failure(.noPage(item))
                    case .failure(let error): .failure(failure(error, at: place.path))
                    }
                })
        }
    }

    /// Requests a link with which anyone can read an item; it is created if it does not exist.
    func shareLink(to item: ItemURI, answer: @escaping (Result<ClipboardText, WorkerError>) -> Void) {
        guard let place = place(of: item) else { return answer(.failure(.notOnRemote(item))) }
        ask { [server] () -> Result<String, ShareLinks.Failure> in
            do throws(ShareLinks.Failure) {
                return .success(try await server.shareLink(to: place.path))
            } catch {
                return .failure(error)
            }
        } answer: { (result: Result<Result<String, ShareLinks.Failure>, WorkerError>) in
            answer(
                result.flatMap { result in
                    switch result {
                    case .success(let link):
                        ClipboardText(link).map { .success($0) } ?? .failure(.notShared(item, because: nil))
                    case .failure(.refused(let reason)): .failure(.notShared(item, because: reason))
                    case .failure(.wrongLink(let isTakenBack)):
                        .failure(isTakenBack ? .wrongLinkTakenBack(item) : .wrongLink(item))
                    case .failure(.request(let error)): .failure(failure(error, at: place.path))
                    }
                })
        }
    }

    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, answer: @escaping (Result<Value, WorkerError>) -> Void
    ) {
        if !blocking.ask(work, answer: { answer(.success($0)) }) { answer(.failure(.tooMuchWaits)) }
    }

    private func failure(_ error: DAVFailure, at path: RelativePath) -> WorkerError {
        WorkerError(.providerFailed, explainer.sentence(trouble.explanation(error, at: path)))
    }
}
