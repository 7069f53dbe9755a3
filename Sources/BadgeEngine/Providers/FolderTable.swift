internal import RoundelBus

/// A registered folder.
struct RegisteredFolder {
    let provider: ProviderID
    /// As the provider asked for it and spells it.
    let offer: FolderOffer
    /// The same place with its ancestors resolved.
    let location: ItemURI
    /// Other ways to spell it.
    private(set) var spellings: [ItemURI] = []
    /// What stands at the place; nothing is monitored below a file or a symlink.
    private(set) var kind = FolderFacts.Kind.directory
    /// Counts the folders in the order in which they were registered; the same for as long as the provider keeps it.
    var rank: UInt64 = 0

    var isBlocked: Bool { kind == .file || kind == .symlink }

    /// Notes what stands at the place now.
    /// - Parameter spellings: nil: as before.
    mutating func update(_ kind: FolderFacts.Kind, spellings: [ItemURI]? = nil) {
        self.kind = kind
        if let spellings { self.spellings = spellings }
    }
}

/// The registered folders of all enabled providers, by place and by spelling.
struct FolderTable {
    /// By location; no two folders share one.
    private(set) var byLocation: [ItemURI: RegisteredFolder] = [:]
    /// Every spelling of a folder → its location.
    private var spellings: [ItemURI: ItemURI] = [:]
    /// The length of the longest of them: a path may have thousands of ancestors, and those that are longer are none.
    private var longestSpelling = 0
    /// Every spelling of a folder's parent → the parent's location.
    private var parents: [ItemURI: ItemURI] = [:]
    /// The location of a parent → the locations of the folders in it.
    private var children: [ItemURI: [ItemURI]] = [:]
    /// By location: those that take no part before a person consents.
    private(set) var waiting: [ItemURI: Waiting] = [:]
    /// As their providers spell them → their locations.
    private var waitingSpellings: [ItemURI: ItemURI] = [:]

    /// A folder that lies above or below another provider's.
    struct Waiting {
        let folder: RegisteredFolder
        /// What the person would consent to, and whether the folder is the inner one.
        let nestings: [(FolderNesting, isInside: Bool)]
    }

    init() {}

    /// Of several folders at one place the oldest counts.
    /// - Parameter allowed: what a person has consented to.
    init(_ folders: [RegisteredFolder], _ allowed: Set<FolderNesting>) {
        var folders = folders.sorted { ($0.rank, $0.provider) < ($1.rank, $1.provider) }
        var taken: Set<ItemURI> = []
        folders.removeAll { !taken.insert($0.location).inserted }
        for (number, nestings) in NestedFolders(folders).waiting(allowed) {
            let folder = folders[number]
            waiting[folder.location] = Waiting(folder: folder, nestings: nestings)
            waitingSpellings[folder.offer.folder] = folder.location
        }
        for folder in folders where waiting[folder.location] == nil {
            byLocation[folder.location] = folder
            if let parent = folder.location.parent { children[parent, default: []].append(folder.location) }
        }
        for folder in byLocation.values {
            for spelling in [folder.offer.folder, folder.location] + folder.spellings {
                // A spelling that is another folder's own place stays with that folder.
                if spelling == folder.location || byLocation[spelling] == nil {
                    spellings[spelling] = folder.location
                    longestSpelling = max(longestSpelling, spelling.path.utf8.count)
                }
                if let parent = spelling.parent, let location = folder.location.parent, parents[parent] != parent {
                    parents[parent] = location
                }
            }
        }
    }

    /// The folder at a place, also one that waits.
    func any(at location: ItemURI) -> RegisteredFolder? { byLocation[location] ?? waiting[location]?.folder }

    /// The folder that a provider spells so, also one that waits.
    func any(spelled folder: ItemURI) -> RegisteredFolder? { any(at: waitingSpellings[folder] ?? locate(folder)) }

    /// Notes what stands at the place of a folder now.
    mutating func setKind(_ kind: FolderFacts.Kind, at location: ItemURI) { byLocation[location]?.update(kind) }

    /// Whether there is no folder at all.
    var isEmpty: Bool { byLocation.isEmpty }

    /// The place that a URI means, resolved as far as the registered folders say.
    func locate(_ uri: ItemURI) -> ItemURI {
        var ancestor: ItemURI? = uri.ancestor(ofLength: longestSpelling)
        while let spelling = ancestor {
            if let location = spellings[spelling] { return uri.replacing(spelling, with: location) ?? uri }
            ancestor = spelling.parent
        }
        return parents[uri] ?? uri
    }

    /// The deepest folder that contains a place or is it.
    func folder(containing location: ItemURI) -> RegisteredFolder? {
        var ancestor: ItemURI? = location.ancestor(ofLength: longestSpelling)
        while let place = ancestor {
            if let folder = byLocation[place] { return folder }
            ancestor = place.parent
        }
        return nil
    }

    /// The folders that are listed in a place.
    func folders(in location: ItemURI) -> [RegisteredFolder] {
        (children[location] ?? []).compactMap { byLocation[$0] }
    }

    /// Whether observing the place makes sense: it is a folder, below one, or the parent of one.
    func isMonitored(_ location: ItemURI) -> Bool {
        guard !isEmpty else { return false }
        if let folder = folder(containing: location), !folder.isBlocked { return true }
        return children[location] != nil
    }

    /// A place as the provider of a folder spells it.
    func spelling(of location: ItemURI, in folder: RegisteredFolder) -> ItemURI {
        location.replacing(folder.location, with: folder.offer.folder) ?? location
    }
}

extension ItemURI {
    /// This item, or its nearest ancestor whose path has so many bytes at most; the root at least.
    fileprivate func ancestor(ofLength length: Int) -> ItemURI {
        let bytes = path.utf8
        guard bytes.count > length else { return self }
        // A slash right behind the length ends a name that fits.
        guard let slash = bytes.prefix(length + 1).lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
            return .root
        }
        return ItemURI(canonical: String(path[..<slash]))
    }
}
