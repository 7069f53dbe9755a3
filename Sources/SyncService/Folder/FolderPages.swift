internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The pages in a browser and the share links that a folder's remote has for its items.
struct FolderPages {
    /// Whether the items have pages.
    var showsItems: Bool { pages.showsItems }
    /// Whether the items can be shared by links.
    var givesShareLinks: Bool { pages.givesShareLinks }
    private let items: FolderItems
    private let pages: any ItemPages
    private let explainer: Explainer
    private let blocking: BlockingWork

    /// - Parameter pages: Those of the remote; the result is nil if this is nil.
    init?(_ items: FolderItems, of pages: (any ItemPages)?, explainer: Explainer, blocking: BlockingWork) {
        guard let pages else { return nil }
        (self.items, self.pages, self.explainer, self.blocking) = (items, pages, explainer, blocking)
    }

    /// Whether an item exists on the server, as far as known.
    func isThere(_ item: ItemURI) -> Bool { place(of: item) != nil }

    private func place(of item: ItemURI) -> (path: RelativePath, isDirectory: Bool)? {
        items.node(at: item).flatMap { items.remotePlace(of: $0) }
    }

    /// Requests the address of an item's page.
    func page(of item: ItemURI, answer: @escaping (Result<String, WorkerError>) -> Void) {
        guard let place = place(of: item) else { return answer(.failure(.notOnRemote(item))) }
        ask { [pages] () -> Result<String?, EffectFailure> in
            do throws(EffectFailure) {
                return .success(try await pages.page(of: place.path, isDirectory: place.isDirectory))
            } catch {
                return .failure(error)
            }
        } answer: { (result: Result<Result<String?, EffectFailure>, WorkerError>) in
            answer(
                result.flatMap { result in
                    switch result {
                    case .success(let page?): .success(page)
                    case .success(nil): .failure(.noPage(item))
                    case .failure(let error): .failure(failure(error))
                    }
                })
        }
    }

    /// Requests a link with which anyone can read an item; it is created if it does not exist.
    func shareLink(to item: ItemURI, answer: @escaping (Result<ClipboardText, WorkerError>) -> Void) {
        guard let place = place(of: item) else { return answer(.failure(.notOnRemote(item))) }
        ask { [pages] () -> Result<String, ShareLinkFailure> in
            do throws(ShareLinkFailure) {
                return .success(try await pages.shareLink(to: place.path))
            } catch {
                return .failure(error)
            }
        } answer: { (result: Result<Result<String, ShareLinkFailure>, WorkerError>) in
            answer(
                result.flatMap { result in
                    switch result {
                    case .success(let link):
                        ClipboardText(link).map { .success($0) } ?? .failure(.notShared(item, because: nil))
                    case .failure(.refused(let reason)): .failure(.notShared(item, because: reason))
                    case .failure(.wrongLink(let isTakenBack)):
                        .failure(isTakenBack ? .wrongLinkTakenBack(item) : .wrongLink(item))
                    case .failure(.failed(let error)): .failure(failure(error))
                    }
                })
        }
    }

    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, answer: @escaping (Result<Value, WorkerError>) -> Void
    ) {
        if !blocking.ask(work, answer: { answer(.success($0)) }) { answer(.failure(.tooMuchWaits)) }
    }

    private func failure(_ error: EffectFailure) -> WorkerError {
        WorkerError(.providerFailed, explainer.sentence(error.message))
    }
}
