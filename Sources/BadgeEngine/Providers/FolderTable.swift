internal import RoundelBus

/// A registered folder.
struct RegisteredFolder {
    let provider: ProviderID
    /// The folder as the provider requested and spells it.
    let offer: FolderOffer
    /// The same place with its ancestors resolved.
    let location: ItemURI
    /// Other ways to spell it.
    private(set) var spellings: [ItemURI] = []
    /// What is at the place; nothing is monitored below a file or a symlink.
    private(set) var kind = FolderFacts.Kind.directory
    /// Orders folders by registration; stays the same as long as the provider keeps the folder.
    var rank: UInt64 = 0

    var isBlocked: Bool { kind == .file || kind == .symlink }

    /// Sets what is at the place now.
    /// - Parameter spellings: nil: unchanged.
    mutating func update(_ kind: FolderFacts.Kind, spellings: [ItemURI]? = nil) {
        self.kind = kind
        if let spellings { self.spellings = spellings }
    }
}

/// The registered folders of all enabled providers, by place and by spelling.
struct FolderTable {
    /// By location; no two folders share one.
    private(set) var byLocation: [ItemURI: RegisteredFolder] = [:]
    /// The location for each spelling of a folder.
    private var spellings: [ItemURI: ItemURI] = [:]
    /// The length of the longest spelling. A path may have thousands of ancestors; longer ones cannot be spellings.
    private var longestSpelling = 0
    /// The location of the parent for each spelling of a folder's parent.
    private var parents: [ItemURI: ItemURI] = [:]
    /// The locations of the folders in each parent, by the parent's location.
    private var children: [ItemURI: [ItemURI]] = [:]
    /// The folders that show nothing before the user consents, by location.
    private(set) var waiting: [ItemURI: Waiting] = [:]
    /// The locations of waiting folders, by their providers' spellings.
    private var waitingSpellings: [ItemURI: ItemURI] = [:]

    /// A folder above or below another provider's.
    struct Waiting {
        let folder: RegisteredFolder
        /// The nestings that need consent, and whether the folder is the inner one.
        let nestings: [(FolderNesting, isInside: Bool)]
    }

    /// The waiting folders that came before a shown one above or below them, oldest first. They come after it from now on,
    /// or would take its place as soon as they no longer wait for a third one.
    private(set) var overtaken: [RegisteredFolder] = []

    init() {}

    /// Of several folders at one place, the oldest counts.
    /// - Parameter allowed: The nestings that the user has consented to.
    init(_ folders: [RegisteredFolder], _ allowed: Set<FolderNesting>) {
        var folders = folders.sorted { ($0.rank, $0.provider) < ($1.rank, $1.provider) }
        var taken: Set<ItemURI> = []
        folders.removeAll { !taken.insert($0.location).inserted }
        for entry in NestedFolders(folders).waiting(allowed) {
            let folder = folders[entry.folder]
            if entry.isOvertaken { overtaken.append(folder) }
            waiting[folder.location] = Waiting(folder: folder, nestings: entry.nestings)
            waitingSpellings[folder.offer.folder] = folder.location
            longestSpelling = max(
                longestSpelling, folder.location.path.utf8.count, folder.offer.folder.path.utf8.count)
        }
        for folder in folders where waiting[folder.location] == nil {
            byLocation[folder.location] = folder
            if let parent = folder.location.parent { children[parent, default: []].append(folder.location) }
        }
        for folder in byLocation.values {
            for spelling in [folder.offer.folder, folder.location] + folder.spellings {
                // A spelling that is another folder's own place belongs to that folder.
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

    /// The folder at a place, including waiting ones.
    func any(at location: ItemURI) -> RegisteredFolder? { byLocation[location] ?? waiting[location]?.folder }

    /// The folder with a provider's spelling, including waiting ones.
    func any(spelled folder: ItemURI) -> RegisteredFolder? { any(at: waitingSpellings[folder] ?? locate(folder)) }

    /// Sets what is at the place of a folder now.
    mutating func setKind(_ kind: FolderFacts.Kind, at location: ItemURI) { byLocation[location]?.update(kind) }

    /// Whether there are no folders.
    var isEmpty: Bool { byLocation.isEmpty }

    /// The place of a URI, resolved as far as the registered folders allow.
    func locate(_ uri: ItemURI) -> ItemURI {
        var ancestor: ItemURI? = uri.ancestor(ofLength: longestSpelling)
        while let spelling = ancestor {
            if let location = spellings[spelling] { return uri.replacing(spelling, with: location) ?? uri }
            ancestor = spelling.parent
        }
        return parents[uri] ?? uri
    }

    /// Whether there is a folder below a place, including waiting ones.
    func hasFolder(in location: ItemURI) -> Bool {
        byLocation.keys.contains { $0.isBelow(location) } || waiting.keys.contains { $0.isBelow(location) }
    }

    /// The deepest folder that contains a place or is at it.
    func folder(containing location: ItemURI) -> RegisteredFolder? {
        var ancestor: ItemURI? = location.ancestor(ofLength: longestSpelling)
        while let place = ancestor {
            if let folder = byLocation[place] { return folder }
            ancestor = place.parent
        }
        return nil
    }

    /// The deepest folder that contains a place or is at it, including waiting ones.
    func any(containing location: ItemURI) -> RegisteredFolder? {
        guard !waiting.isEmpty else { return folder(containing: location) }
        var ancestor: ItemURI? = location.ancestor(ofLength: longestSpelling)
        while let place = ancestor {
            if let folder = any(at: place) ?? waitingSpellings[place].flatMap({ any(at: $0) }) { return folder }
            ancestor = place.parent
        }
        return nil
    }

    /// The folders whose parent is at a place.
    func folders(in location: ItemURI) -> [RegisteredFolder] {
        (children[location] ?? []).compactMap { byLocation[$0] }
    }

    /// Whether observing the place is useful: it is a folder, below one, or the parent of one.
    func isMonitored(_ location: ItemURI) -> Bool {
        guard !isEmpty else { return false }
        if let folder = folder(containing: location), !folder.isBlocked { return true }
        return children[location] != nil
    }

    /// A place in the spelling of a folder's provider.
    func spelling(of location: ItemURI, in folder: RegisteredFolder) -> ItemURI {
        location.replacing(folder.location, with: folder.offer.folder) ?? location
    }
}

extension ItemURI {
    /// This item, or its nearest ancestor whose path has at most this many bytes; in the extreme, the root.
    fileprivate func ancestor(ofLength length: Int) -> ItemURI {
        let bytes = path.utf8
        guard bytes.count > length else { return self }
        // A slash directly after this length ends a name that fits.
        guard let slash = bytes.prefix(length + 1).lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
            return .root
        }
        return ItemURI(canonical: String(path[..<slash]))
    }
}
