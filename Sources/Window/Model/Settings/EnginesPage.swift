package import RoundelBus
internal import Support

/// What the window of the sync engines shows: each provider with what it does, and whether it is on.
package struct EnginesPage: Sendable, Equatable {
    /// A provider.
    package struct Row: Sendable, Equatable {
        /// Its id.
        package let id: String
        /// Its name.
        package let name: String
        /// What it does; empty if it does not say.
        package let summary: String
        /// Whether it is on, and what it has, in words.
        package let state: String
        /// What is wrong with it, and what to do; nil for nothing.
        package let problem: String?
        /// The name of its icon.
        package let icon: String
        /// Whether it is on.
        package let isOn: Bool
        /// Whether it waits for the user to say whether it may be on.
        package let isNew: Bool

        /// Everything that the row says, for a screen reader.
        package var spoken: String { TextList.of([name, state, problem ?? "", summary].filter { !$0.isEmpty }) }
    }

    /// What there is to show.
    package enum Kind: String, Sendable {
        /// Providers.
        case list
        /// The service has not answered yet.
        case waiting
        /// The service does not answer, and ``EnginesPage/notice`` says why.
        case silent
    }

    /// The providers: new ones first, then by name.
    package let rows: [Row]
    /// What there is to show.
    package let kind: Kind
    /// Why nothing is known; empty if something is.
    package let notice: String

    /// The page before the service has answered.
    package static let waiting = EnginesPage(rows: [], kind: .waiting, notice: "")

    /// The page for these providers.
    package init(_ providers: [ProviderSummary]) {
        let sorted = providers.sorted { left, right in
            if left.isNew != right.isNew { return left.isNew }
            return (left.name.lowercased(), left.id) < (right.name.lowercased(), right.id)
        }
        self.init(rows: sorted.map { Row($0) }, kind: .list, notice: "")
    }

    /// The page if the providers cannot be learnt.
    package init(failure: any Error) { self.init(rows: [], kind: .silent, notice: Sentence.of(failure)) }

    private init(rows: [Row], kind: Kind, notice: String) { (self.rows, self.kind, self.notice) = (rows, kind, notice) }
}

extension EnginesPage.Row {
    init(_ provider: ProviderSummary) {
        id = provider.id.rawValue
        name = DisplayText.escaped(provider.name)
        summary = Self.summary(of: provider)
        icon = provider.icon.isEmpty ? "application-x-addon-symbolic" : provider.icon
        (isOn, isNew) = (provider.enabled, provider.isNew)
        state = Self.state(of: provider)
        problem = Self.problem(of: provider)
    }

    private static func summary(of provider: ProviderSummary) -> String {
        guard let app = SandboxedApp(text: provider.app) else { return DisplayText.escaped(provider.summary) }
        switch app.kind {
        case .flatpak: return tr("The Flatpak app {1}. It runs in a sandbox.", app.id)
        case .snap: return tr("The Snap app {1}. It runs in a sandbox.", app.id)
        }
    }

    private static func state(of provider: ProviderSummary) -> String {
        if provider.isNew, !provider.app.isEmpty {
            return tr("It asks to show badges and menus: it shows nothing before you turn it on")
        }
        if provider.isNew { return tr("Just installed: it shows nothing before you turn it on") }
        guard provider.enabled else { return tr("Off: it shows no badges and menus") }
        guard !provider.folders.isEmpty else { return provider.running ? tr("On") : tr("On, but it does not run") }
        let folders = tr(provider.folders.count, one: "1 folder", other: "{1} folders")
        return provider.running ? tr("On, {1}", folders) : tr("On, but it does not run; {1}", folders)
    }

    private static func problem(of provider: ProviderSummary) -> String? {
        guard provider.enabled else { return nil }
        switch provider.trouble {
        case .silent:
            return tr("It does not answer. Its badges and menus are missing or old; turn it off if that stays.")
        case .wrong:
            return tr("Its answers are wrong. Its badges and menus are missing or old; turn it off if that stays.")
        case nil: break
        }
        guard !provider.running, !provider.lastError.isEmpty else { return nil }
        let said = DisplayText.escaped(provider.lastError)
        return said.isEmpty ? DisplayText.escaped(provider.lastError) : said
    }
}
