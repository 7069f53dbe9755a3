internal import RoundelBus

/// Which recipients were notified that a directory is observed.
struct ObservingNotices {
    private struct Recipient: Equatable {
        let endpoint: ProviderEndpoint
        let spelling: ItemURI
    }

    /// The providers that were sent Begin, but no End yet.
    private var recipients: [ProviderID: Recipient] = [:]
    /// The directory that the watcher was asked to watch.
    private var watched: ItemURI?
    /// Whether the watcher reported that the watched directory has vanished, and not yet that one is there again.
    /// Providers are then notified as if it were not observed.
    private var isAbsent = false

    /// Sends providers and the watcher the begins and ends that a placement requires.
    /// - Parameter placement: The placement of the directory; nil if it is no longer observed.
    mutating func update(_ placement: Placement?, _ providers: ProviderTable, _ out: inout ActionQueue) {
        // Nothing was reported yet about a newly watched directory.
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

    /// The watched directory has vanished; false if that was reported already, or nothing is watched any more.
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

    /// A provider is gone and gets no End.
    mutating func forget(_ provider: ProviderID) { recipients[provider] = nil }
}
