internal import RoundelBus

/// Which providers the items of a directory belong to.
struct Placement {
    /// The registered folder that contains a directory.
    struct Owner: Equatable {
        let provider: ProviderID
        /// The location of the folder.
        let folder: ItemURI
        /// The directory as the provider spells it.
        let spelling: ItemURI
    }

    /// Who owns the items, except the folders that are listed here.
    let owner: Owner?
    /// Registered folders that are listed here; each belongs to its own provider.
    private let roots: [ItemName: ProviderID]
    /// All providers concerned, with the directory as each spells it.
    let concerned: [ProviderID: ItemURI]

    /// A directory that concerns nobody.
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

    /// The names of the registered folders that are listed here.
    var rootNames: some Collection<ItemName> { roots.keys }

    /// The provider of one of the items.
    func provider(of name: ItemName) -> ProviderID? {
        roots.isEmpty ? owner?.provider : roots[name] ?? owner?.provider
    }

    /// Whether items that belong to a folder here belong to another, or none, in a later placement.
    func losesItems(to new: Placement) -> Bool {
        if let owner, owner != new.owner { return true }
        if roots.contains(where: { new.roots[$0.key] != $0.value }) { return true }
        return owner != nil && new.roots.contains { roots[$0.key] != $0.value }
    }
}
