internal import RoundelBus

/// The Flush calls that wait for the watcher.
struct WatcherFlushes {
    /// A call for the changes in one folder.
    struct Flush {
        let provider: ProviderID
        let folder: ItemURI
    }

    private var open: [CallToken: Flush] = [:]

    mutating func begin(_ token: CallToken, _ flush: Flush) { open[token] = flush }

    /// The watcher has delivered every change; nil if there is no such call.
    mutating func end(_ token: CallToken) -> Flush? { open.removeValue(forKey: token) }
}

/// Reports changes below folders to the providers that want them.
extension Engine {
    mutating func forward(_ changes: FolderChanges) {
        guard let folder = folderTable.any(spelled: changes.folder), folder.offer.watch,
            providers.activeEndpoint(folder.provider) != nil
        else { return }
        providers[folder.provider]?.changes.add(changes)
        sendChanges(folder.provider)
    }

    private mutating func sendChanges(_ provider: ProviderID) {
        guard let endpoint = providers.activeEndpoint(provider) else { return }
        let token = out.makeToken()
        guard let changes = providers[provider]?.changes.next(token) else { return }
        out.ask(provider, at: endpoint, .itemsChanged(changes), for: .changes, as: token)
    }

    /// A provider accepted or refused changes; after a refusal, the next change reports the whole folder.
    mutating func changesAnswered(_ provider: ProviderID, _ token: RequestToken, _ answer: ProviderAnswer) {
        var isAccepted = false
        if case .done = answer { isAccepted = true } else { blame(provider, answer) }
        for flush in providers[provider]?.changes.answer(token, isAccepted: isAccepted) ?? [] {
            if flush.isAccepted {
                reply(flush.call, .done)
            } else {
                fail(flush.call, .changesRefused(provider))
            }
        }
        sendChanges(provider)
    }

    /// Reports to a provider that anything may have changed in its watched folders, once they are watched again: what
    /// it reads after that cannot change unnoticed.
    mutating func forwardEverything(_ provider: ProviderID) {
        for folder in providers[provider]?.folders ?? [] where folder.offer.watch {
            act(.reportWhenWatched(folder.offer.folder))
        }
    }

    mutating func flush(_ call: RegistryCall, _ provider: ProviderID, _ uri: ItemURI) {
        guard isFolder(uri, of: provider) else { return fail(call.token, .notYourFolder(uri, provider)) }
        watcherFlushes.begin(call.token, WatcherFlushes.Flush(provider: provider, folder: uri))
        act(.flushWatcher(call.token, uri))
    }

    mutating func flushed(_ token: CallToken) {
        guard let flush = watcherFlushes.end(token) else { return }
        guard providers[flush.provider]?.endpoint != nil else { return failGone(token, flush.provider) }
        if providers[flush.provider]?.changes.flush(token, flush.folder) ?? true { reply(token, .done) }
        sendChanges(flush.provider)
    }

    func isFolder(_ uri: ItemURI, of provider: ProviderID) -> Bool {
        providers[provider]?.folders.contains { $0.offer.folder == uri } ?? false
    }

    mutating func failGone(_ token: CallToken, _ provider: ProviderID) {
        fail(token, .providerNotRunning(provider))
    }
}
