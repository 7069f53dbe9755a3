internal import RoundelBus

/// Who has been notified that a directory is observed.
struct ObservingNotices {
    private struct Recipient: Equatable {
        let endpoint: ProviderEndpoint
        let spelling: ItemURI
    }

    /// The providers that were sent Begin and not yet End.
    private var recipients: [ProviderID: Recipient] = [:]
    /// What the watcher was asked to watch.
    private var watched: ItemURI?
    /// The watcher said that what it watches is gone, and not yet that a directory is there again. It tells providers as
    /// though nobody observed it.
    private var isAbsent = false

    /// Sends providers and the watcher the begins and ends that a placement requires.
    /// - Parameter placement: of the directory; nil: it is no longer observed.
    mutating func update(_ placement: Placement?, _ providers: ProviderTable, _ out: inout ActionQueue) {
        // Of what is watched from now on nothing was said yet.
        if watched != placement?.owner?.spelling { isAbsent = false }
        var wanted: [ProviderID: Recipient] = [:]
        for (provider, spelling) in isAbsent ? [:] : placement?.concerned ?? [:] {
            guard let endpoint = providers.activeEndpoint(provider) else { continue }
            wanted[provider] = Recipient(endpoint: endpoint, spelling: spelling)
        }
        if wanted != recipients {
            for (provider, old) in recipients.sorted(by: { $0.key < $1.key }) where wanted[provider] != old {
                out.act(.notify(old.endpoint, .endObserving(old.spelling)))
            }
            for (provider, new) in wanted.sorted(by: { $0.key < $1.key }) where recipients[provider] != new {
                out.act(.notify(new.endpoint, .beginObserving(new.spelling)))
            }
            recipients = wanted
        }
        watch(placement?.owner?.spelling, &out)
    }

    private mutating func watch(_ wanted: ItemURI?, _ out: inout ActionQueue) {
        guard watched != wanted else { return }
        if let watched { out.act(.unwatchDirectory(watched)) }
        if let wanted { out.act(.watchDirectory(wanted)) }
        watched = wanted
    }

    /// What is watched is gone; false if that was said already, or of something that is not watched any more.
    mutating func leave() -> Bool {
        guard watched != nil, !isAbsent else { return false }
        isAbsent = true
        return true
    }

    /// A directory is there again; false if none was missing.
    mutating func comeBack() -> Bool {
        defer { isAbsent = false }
        return isAbsent
    }

    /// A provider is gone and needs no End.
    mutating func forget(_ provider: ProviderID) { recipients[provider] = nil }
}
