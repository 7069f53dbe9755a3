internal import RoundelBus

/// Providers that were just installed, or that ask from a sandbox (E8).
extension Engine {
    /// The providers that are off until the user has said whether they may be on, by their ids.
    package var newProviders: [NewProvider] {
        providers.ids.compactMap { id in
            guard let record = providers[id], record.isNew else { return nil }
            if let program = record.program {
                return NewProvider(provider: id, name: program.name, summary: "", app: program.app)
            }
            guard let manifest = record.manifest else { return nil }
            return NewProvider(
                provider: id, name: manifest.name.isEmpty ? id.rawValue : manifest.name, summary: manifest.summary)
        }
    }

    /// The providers that an earlier version found installed, and started without a question, stay on.
    mutating func keepOnWhatWas() {
        for id in providers.ids where providers[id]?.isNew ?? false {
            providers[id]?.setEnabled(true)
            switched(id)
            activate(id)
        }
        act(.persist)
    }
}
