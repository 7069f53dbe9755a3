internal import RoundelBus

/// The providers to which the items of a directory belong.
struct Placement {
    /// The registered folder that contains a directory.
    struct Owner: Equatable {
        let provider: ProviderID
        /// The location of the folder.
        let folder: ItemURI
        /// The directory in the provider's spelling.
        let spelling: ItemURI
    }

    /// The owner of the items, except of registered folders among them.
    let owner: Owner?
    /// The registered folders in the directory; each belongs to its own provider.
    private let roots: [ItemName: ProviderID]
    /// All providers concerned, with their spellings of the directory.
    let concerned: [ProviderID: ItemURI]

    /// A directory that concerns no provider.
    init() {
        owner = nil
        roots = [:]
        concerned = [:]
    }

    /// The place of a directory among the registered folders.
    init(_ location: ItemURI, in folders: FolderTable) {
        var concerned: [ProviderID: ItemURI] = [:]
        var roots: [ItemName: ProviderID] = [:]
        for folder in folders.folders(in: location) {
            guard let name = folder.location.name, let parent = folder.offer.folder.parent else { continue }
            roots[name] = folder.provider
            if concerned[folder.provider].map({ parent < $0 }) ?? true { concerned[folder.provider] = parent }
        }
        if let folder = folders.folder(containing: location) {
            let spelling = folders.spelling(of: location, in: folder)
            concerned[folder.provider] = spelling
            owner = Owner(provider: folder.provider, folder: folder.location, spelling: spelling)
        } else {
            owner = nil
        }
        self.roots = roots
        self.concerned = concerned
    }

    /// The names of the registered folders in the directory.
    var rootNames: some Collection<ItemName> { roots.keys }

    /// The provider of one of the items.
    func provider(of name: ItemName) -> ProviderID? {
        roots.isEmpty ? owner?.provider : roots[name] ?? owner?.provider
    }

    /// Whether items that belong to a folder now belong to another one, or none, in a later placement.
    func losesItems(to new: Placement) -> Bool {
        if let owner, owner != new.owner { return true }
        if roots.contains(where: { new.roots[$0.key] != $0.value }) { return true }
        return owner != nil && new.roots.contains { roots[$0.key] != $0.value }
    }
}
