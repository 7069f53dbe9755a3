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

    /// Whether the user may share an item that exists on the server, as far as known.
    func mayShare(_ item: ItemURI) -> Bool {
        guard let node = items.node(at: item), items.remotePlace(of: node) != nil else { return false }
        return items.access(to: node)?.0.facts.contains(.share) ?? true
    }

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
                    case .success(nil):
                        .failure(
                            WorkerError(.failed, tr("The server has no page of “{1}”.", ShownPath.short(item.filePath)))
                        )
                    case .failure(let error): .failure(failure(error))
                    }
                })
        }
    }

    /// The address of an item for a browser: of its page, or, where items have none, of the item itself.
    func address(of item: ItemURI, answer: @escaping (Result<String, WorkerError>) -> Void) {
        if showsItems { return page(of: item, answer: answer) }
        guard let place = place(of: item) else { return answer(.failure(.notOnRemote(item))) }
        answer(.success(pages.address(of: place.path, isDirectory: place.isDirectory)))
    }

    /// Requests a link with which anyone can read an item; it is created if it does not exist.
    /// - Parameter end: The last day on which it works, as `2026-11-28`; nil for no end.
    func shareLink(
        to item: ItemURI, until end: String?, answer: @escaping (Result<ClipboardText, WorkerError>) -> Void
    ) {
        guard let place = place(of: item) else { return answer(.failure(.notOnRemote(item))) }
        ask { [pages] () -> Result<String, ShareLinkFailure> in
            do throws(ShareLinkFailure) {
                return .success(try await pages.shareLink(to: place.path, until: end))
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

extension WorkerError {
    static var tooMuchWaits: WorkerError {
        WorkerError(.failed, tr("Too much waits for a file system that does not answer. Try again later."))
    }

    /// - Parameter folder: The label of a folder whose remote has no addresses, or is only written.
    static func notOpened(_ folder: String) -> WorkerError {
        WorkerError(
            .unsupported,
            tr("The remote of “{1}” has no address that a browser or a file manager could open.", folder)
        )
    }

    static func notOnRemote(_ item: ItemURI) -> WorkerError {
        WorkerError(.failed, tr("“{1}” is not on the remote.", ShownPath.short(item.filePath)))
    }

    /// - Parameter reason: The server's message for users.
    fileprivate static func notShared(_ item: ItemURI, because reason: String?) -> WorkerError {
        let path = ShownPath.short(item.filePath)
        return WorkerError(
            .providerFailed,
            reason.map { tr("The server makes no share link of “{1}”. It says: {2}", path, $0) }
                ?? tr("The server makes no share link of “{1}”.", path))
    }

    fileprivate static func wrongLinkTakenBack(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .providerFailed,
            tr(
                "The server made another link than one to read “{1}”. It was removed again, and nothing is shared.",
                ShownPath.short(item.filePath)))
    }

    fileprivate static func wrongLink(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .providerFailed,
            tr(
                """
                The server gave another link than one to read “{1}”, and it is still there. Look at your shares on \
                the server's page, and remove it there if you did not mean it.
                """, ShownPath.short(item.filePath)))
    }
}
