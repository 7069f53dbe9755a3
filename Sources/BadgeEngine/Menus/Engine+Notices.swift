internal import RoundelBus

/// The notices of folders and their actions.
extension Engine {
    /// Has a provider carry out an action of one of its notices.
    mutating func activateNotice(
        _ call: HostCall, _ folder: ItemURI, _ notice: String, _ action: String, _ options: ActivationOptions
    ) {
        let owner = folderTable.byLocation[folderTable.locate(folder)]
        guard let owner, let endpoint = providers[owner.provider]?.endpoint,
            let given = providers[owner.provider]?.notices[owner.offer.folder]?.first(where: { $0.id == notice }),
            let chosen = given.actions.first(where: { $0.id == action })
        else {
            return fail(call.token, .alreadyDecided(folder))
        }
        let activation = PendingRequest.Activation(
            client: call.caller, menu: 0, item: "\(owner.provider)/\(action)", label: chosen.label,
            showsResult: options.showsResult)
        let request = ProviderRequest.activate(item: action, target: owner.offer.folder, selection: [], options)
        begin(activation, of: owner.provider, endpoint, request, for: call.token)
    }
}
