internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// One call of ListTrash, over both sides of one or several folders.
final class TrashListing {
    private let call: MethodCall
    private let places: [KeptPlace]
    private unowned let service: Worker
    private var items: [SyncTrashItem] = []
    /// Folders with a side that has not answered, and how many.
    private var open: [ItemURI: Int] = [:]
    /// Folders with a side that could not be asked.
    private var unlisted: Set<ItemURI> = []
    private var timer: LoopTimer?

    /// How long the answer waits for a side.
    private static let patience = Duration.seconds(10)

    /// Asks every side, and answers the call when all have answered or too long did not.
    static func begin(_ call: MethodCall, _ places: [KeptPlace], _ service: Worker) {
        let listing = TrashListing(call, places, service)
        for place in places {
            for side in Side.allCases { listing.ask(side, of: place) }
        }
        if listing.open.isEmpty { return listing.answer() }
        // The timer's handler holds the listing until it answers.
        let timer = service.loop.makeTimer { listing.answer() }
        timer.set(after: patience)
        listing.timer = timer
    }

    private init(_ call: MethodCall, _ places: [KeptPlace], _ service: Worker) {
        self.call = call
        self.places = places
        self.service = service
    }

    private func ask(_ side: Side, of place: KeptPlace) {
        let (kept, folder) = (place.kept, place.uri)
        let isAsked = service.blocking.run({ try? kept.versions(on: side) }) { [self] versions in
            if let versions {
                items += versions.map { SyncTrashItem($0, of: place) }
            } else {
                unlisted.insert(folder)
            }
            open[folder, default: 1] -= 1
            if open[folder] == 0 { open[folder] = nil }
            guard open.isEmpty else { return }
            service.letGo(places)
            answer()
        }
        if isAsked { open[folder, default: 0] += 1 } else { unlisted.insert(folder) }
    }

    private func answer() {
        timer?.cancel()
        timer = nil
        guard !call.isAnswered else { return }
        unlisted.formUnion(open.keys)
        items.sort { ($0.time, $0.id, $1.isRemoved ? 1 : 0) > ($1.time, $1.id, $0.isRemoved ? 1 : 0) }
        // The desktop's trash is one for all folders: that of a folder that was removed and added again is listed once.
        var known: Set<String> = []
        items.removeAll { $0.place.known == .desktop && !known.insert($0.id + "\n" + $0.uri).inserted }
        call.reply { writer in
            try writer.append(value: .maps(items.map(\.map)))
            try writer.append(map: unlisted.isEmpty ? [:] : ["unlisted": .strings(unlisted.map(\.uri).sorted())])
        }
    }
}

extension SyncTrashItem {
    fileprivate init(_ version: KeptVersion, of place: KeptPlace) {
        self.init(
            id: version.identifier, folder: place.id, uri: (version.path.uri(below: place.uri) ?? place.uri).uri,
            reason: WireWord(text: version.reason.rawValue), place: WireWord(text: version.place.rawValue),
            time: version.date * 1_000_000)
        size = version.size
        isDirectory = version.isDirectory
        isRemoved = place.isRemoved
    }
}
