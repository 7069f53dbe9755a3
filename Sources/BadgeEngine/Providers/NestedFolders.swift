internal import RoundelBus

/// Decides which folders are shown if folders of different providers are nested: the one that was there first, and
/// those that the user has consented to.
struct NestedFolders {
    /// One spelling of a folder.
    private struct Place {
        let uri: ItemURI
        let folder: Int
        /// The nearest place that contains or equals this one; nil if there is none.
        var above: Int?
    }

    private let folders: [RegisteredFolder]
    private var places: [Place] = []
    /// The indices of each folder's places.
    private var placesOfFolder: [[Int]] = []

    /// - Parameter folders: The folders, oldest first.
    init(_ folders: [RegisteredFolder]) {
        self.folders = folders
        guard let first = folders.first, folders.contains(where: { $0.provider != first.provider }) else { return }
        for (number, folder) in folders.enumerated() {
            for uri in Set([folder.offer.folder, folder.location] + folder.spellings) {
                places.append(Place(uri: uri, folder: number))
            }
        }
        places.sort { Self.isBefore(($0.uri, folders[$0.folder].provider), ($1.uri, folders[$1.folder].provider)) }
        var around: [Int] = []
        for number in places.indices {
            while let last = around.last, !places[number].uri.isWithin(places[last].uri) { around.removeLast() }
            places[number].above = around.last
            around.append(number)
        }
        placesOfFolder = Array(repeating: [], count: folders.count)
        for (number, place) in places.enumerated() { placesOfFolder[place.folder].append(number) }
    }

    private static func isBefore(_ left: (ItemURI, ProviderID), _ right: (ItemURI, ProviderID)) -> Bool {
        left.0 == right.0 ? left.1 < right.1 : precedes(left.0, right.0)
    }

    /// Orders places so that each is directly followed by those inside it.
    static func precedes(_ left: ItemURI, _ right: ItemURI) -> Bool {
        func order(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
        return left.path.utf8.lexicographicallyPrecedes(right.path.utf8) { order($0) < order($1) }
    }

    /// A folder that waits for consent.
    struct Waiting {
        let folder: Int
        /// The nestings that need consent.
        let nestings: [(FolderNesting, isInside: Bool)]
        /// Whether a later folder, which would have to wait for this one, is shown.
        var isOvertaken = false
    }

    /// The folders that wait for consent, with the nestings that need it, in the order of the folders.
    func waiting(_ allowed: Set<FolderNesting>) -> [Waiting] {
        guard places.contains(where: { $0.above != nil }) else { return [] }
        var isShown = Array(repeating: false, count: folders.count)
        // For each place, the shown folders inside it.
        var shownIn: [Int: [Int]] = [:]
        var waiting: [Waiting] = []
        /// The nestings of a folder and shown ones that need consent, with the other folders.
        func missing(_ folder: Int) -> [(other: Int, nesting: FolderNesting, isInside: Bool)] {
            let outer = placesOfFolder[folder].flatMap { placesAbove($0) }.map { places[$0].folder }
            let inner = placesOfFolder[folder].flatMap { shownIn[$0] ?? [] }
            var seen: Set<FolderNesting> = []
            var found: [(other: Int, nesting: FolderNesting, isInside: Bool)] = []
            for (other, isInside) in outer.filter({ isShown[$0] }).map({ ($0, true) }) + inner.map({ ($0, false) }) {
                guard let nesting = isInside ? self.nesting(other, folder) : self.nesting(folder, other),
                    !allowed.contains(nesting), seen.insert(nesting).inserted
                else { continue }
                found.append((other, nesting, isInside))
            }
            return found
        }
        for folder in folders.indices {
            let needed = missing(folder)
            guard needed.isEmpty else {
                waiting.append(Waiting(folder: folder, nestings: needed.map { ($0.nesting, $0.isInside) }))
                continue
            }
            isShown[folder] = true
            for place in placesOfFolder[folder].flatMap({ placesAbove($0) }) {
                shownIn[place, default: []].append(folder)
            }
        }
        for entry in waiting.indices {
            let folder = waiting[entry].folder
            waiting[entry].isOvertaken = missing(folder).contains { $0.other > folder }
        }
        return waiting
    }

    private func placesAbove(_ place: Int) -> [Int] {
        var found: [Int] = []
        var next = places[place].above
        while let above = next {
            found.append(above)
            next = places[above].above
        }
        return found
    }

    /// The nesting of two folders; nil if they belong to one provider, which needs no consent.
    private func nesting(_ outer: Int, _ inner: Int) -> FolderNesting? {
        guard folders[outer].provider != folders[inner].provider else { return nil }
        return FolderNesting(outer: folders[outer].asNested, inner: folders[inner].asNested)
    }
}

extension RegisteredFolder {
    fileprivate var asNested: FolderNesting.Folder {
        FolderNesting.Folder(provider: provider, folder: offer.folder)
    }
}
