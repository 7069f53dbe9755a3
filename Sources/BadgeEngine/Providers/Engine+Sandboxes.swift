internal import RoundelBus

/// Programs in a sandbox that want to be providers: each asks the user, by the name of its app, and is one from then on.
extension Engine {
    /// Lets a program in a sandbox register if the user has said yes to its app; otherwise it is asked about.
    mutating func admit(_ program: SandboxedProgram, as id: ProviderID) throws(Refusal) {
        // One question for each app, however many ids it tries.
        if let other = providers.id(of: program.app), other != id { throw .appHasID(other) }
        if let record = providers[id] {
            guard record.manifest == nil, record.program?.app == program.app else { throw .idTaken(id) }
            if record.program != program {
                providers[id]?.belong(to: program)
                if record.isNew { act(.propertiesChanged(.newProviders)) }
                act(.providersChanged)
            }
        } else {
            guard providers.strangers < Limits.strangers else { throw .tooManyStrangers(id) }
            providers.update(id) { $0.belong(to: program) }
            act(.propertiesChanged(.newProviders))
            act(.providersChanged)
        }
        guard let record = providers[id], record.isEnabled else {
            throw providers[id]?.isNew ?? true ? .appAsks(program.name) : .appIsOff(program.name)
        }
    }

    /// A program outside of sandboxes wants an id: one that an app has only asked for, or that the user has refused it, is
    /// free.
    mutating func giveUp(_ id: ProviderID) throws(Refusal) {
        guard let record = providers[id], record.program != nil else { return }
        guard !record.isEnabled else { throw .idTaken(id) }
        providers.forget(id)
        if record.keptChoice != nil { act(.persist) }
        if record.isNew { act(.propertiesChanged(.newProviders)) }
    }

    /// The user has switched off an app in a sandbox: it has to register again once it may, and can call nothing until then.
    mutating func expel(_ id: ProviderID) {
        guard providers[id]?.program != nil, providers[id]?.endpoint != nil else { return }
        providerGone(id, isFinal: true)
    }
}
