package import RoundelBus

/// A provider that fails again and again, of which the user is told.
package struct TroubledProvider: Equatable, Sendable {
    /// What it fails at.
    package typealias Trouble = ProviderSummary.Trouble

    /// The provider.
    package var provider: ProviderID
    /// Its name.
    package var name: String
    /// Its first folder, in its spelling.
    package var folder: ItemURI
    /// What it fails at.
    package var trouble: Trouble

    /// The id of the service's notice about it.
    package static let notice = "roundel-trouble"
    /// The id of the notice's action that turns the provider off.
    package static let turnOff = "turn-off"
}

/// The failures of one provider, one after the other.
struct ProviderFailures {
    /// What is asked: one kind may go well while another fails.
    enum Question: Hashable {
        case badges
        case menus
    }

    private var rows: [Question: Int] = [:]
    /// The first trouble that was noticed; nil if there is none.
    private(set) var trouble: TroubledProvider.Trouble?

    /// Counts a failure; returns whether the user is to be told.
    mutating func add(_ failure: TroubledProvider.Trouble, at question: Question) -> Bool {
        rows[question, default: 0] += 1
        guard trouble == nil, rows[question, default: 0] >= Limits.failuresInARow else { return false }
        trouble = failure
        return true
    }

    /// Notes an answer as it has to be; returns whether the trouble has ended.
    mutating func answered(_ question: Question) -> Bool {
        guard !rows.isEmpty else { return false }
        rows[question] = nil
        guard trouble != nil, rows.values.allSatisfy({ $0 < Limits.failuresInARow }) else { return false }
        trouble = nil
        return true
    }
}

/// Providers that are slow or break.
extension Engine {
    /// The enabled providers with a folder that fail again and again, sorted.
    package var troubledProviders: [TroubledProvider] {
        providers.ids.compactMap { id in
            guard let record = providers[id], record.isEnabled, let trouble = record.failures.trouble,
                let folder = record.folders.map(\.offer.folder).min()
            else { return nil }
            return TroubledProvider(provider: id, name: record.name, folder: folder, trouble: trouble)
        }.sorted { $0.folder < $1.folder }
    }

    mutating func noteFailure(
        _ failure: TroubledProvider.Trouble, of provider: ProviderID, at question: ProviderFailures.Question
    ) {
        guard providers[provider]?.failures.add(failure, at: question) ?? false else { return }
        act(.propertiesChanged(.notices))
        act(.providersChanged)
    }

    mutating func noteAnswer(of provider: ProviderID, to question: ProviderFailures.Question) {
        guard providers[provider]?.failures.answered(question) ?? false else { return }
        act(.propertiesChanged(.notices))
        act(.providersChanged)
    }

    /// The user turned off a provider with the button of the notice. Hosts outside the service cannot do this.
    mutating func turnOffFromNotice(_ call: HostCall, _ folder: ItemURI) -> Bool {
        guard let troubled = troubledProviders.first(where: { $0.folder == folder }) else { return false }
        disable(troubled.provider, call.token)
        act(.propertiesChanged(.notices))
        return true
    }
}
