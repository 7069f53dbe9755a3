internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// One call of ListTrash, over both sides of one or several folders.
final class TrashListing {
    private struct Found {
        var version: KeptVersion
        var place: KeptPlace
    }

    /// The most items of one reply.
    private static let longest = 10_000

    private let call: MethodCall
    private let start: KeptPage.Position?
    private let limit: Int
    private let places: [KeptPlace]
    private unowned let service: Worker
    private var found: [Found] = []
    /// The folders with sides that have not responded yet, and the number of those sides.
    private var open: [ItemURI: Int] = [:]
    /// The folders with a side that could not be read.
    private var unlisted: Set<ItemURI> = []
    private var timer: LoopTimer?

    /// Reads every side, and replies to the call when all have responded or the time is over.
    ///
    /// - Parameter options: `after` and `limit`.
    static func begin(_ call: MethodCall, _ options: VariantMap, _ places: [KeptPlace], _ service: Worker) {
        let listing = TrashListing(call, options, places, service)
        for place in places {
            for side in Side.allCases { listing.ask(side, of: place) }
        }
        if listing.open.isEmpty { return listing.answer() }
        // The timer's handler keeps the listing alive until it replies.
        let timer = service.loop.makeTimer { listing.answer() }
        timer.set(after: Patience.Worker.trash)
        listing.timer = timer
    }

    private init(_ call: MethodCall, _ options: VariantMap, _ places: [KeptPlace], _ service: Worker) {
        self.call = call
        start = options.string("after").flatMap { KeptPage.Position($0) }
        let asked = options.uint32("limit").map { Int($0) } ?? 0
        limit = asked == 0 ? Self.longest : min(asked, Self.longest)
        self.places = places
        self.service = service
    }

    private func ask(_ side: Side, of place: KeptPlace) {
        let (kept, folder) = (place.kept, place.uri)
        let page = KeptPage(after: start, limit: limit)
        let isAsked = service.blocking.run({ try? kept.versions(on: side, page) }) { [self] versions in
            if let versions {
                found += versions.map { Found(version: $0, place: place) }
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
        let (part, isPart) = KeptPage.newest(found, limit) { $0.version }
        var items = part.map { SyncTrashItem($0.version, of: $0.place) }
        items.sort { ($0.time, $0.id, $1.isRemoved ? 1 : 0) > ($1.time, $1.id, $0.isRemoved ? 1 : 0) }
        // All folders share the desktop's trash. If a folder was removed and added again, its items there would be
        // listed twice.
        var known: Set<String> = []
        items.removeAll { $0.place.known == .desktop && !known.insert($0.id + "\n" + $0.uri).inserted }
        var extra: VariantMap = [:]
        if !unlisted.isEmpty { extra["unlisted"] = .strings(unlisted.map(\.uri).sorted()) }
        if isPart, let last = part.last { extra["next"] = .string(KeptPage.Position(of: last.version).text) }
        call.reply { [extra] writer in
            try writer.append(value: .maps(items.map(\.map)))
            try writer.append(map: extra)
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
