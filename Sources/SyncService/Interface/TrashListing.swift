internal import DBus
internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// One call of ListTrash, over both sides of one or several folders.
final class TrashListing {
    private let call: MethodCall
    private let units: [FolderUnit]
    private var items: [SyncTrashItem] = []
    /// Folders with a side that has not answered, and how many.
    private var open: [ItemURI: Int] = [:]
    /// Folders with a side that could not be asked.
    private var unlisted: Set<ItemURI> = []
    private var timer: LoopTimer?

    /// How long the answer waits for a side.
    private static let patience = Duration.seconds(10)

    /// Asks every side, and answers the call when all have answered or too long did not.
    static func begin(_ call: MethodCall, _ units: [FolderUnit], _ service: Worker) {
        let listing = TrashListing(call, units)
        for unit in units {
            for side in Side.allCases { listing.ask(side, of: unit, service) }
        }
        if listing.open.isEmpty { return listing.answer() }
        // The timer's handler holds the listing until it answers.
        let timer = service.loop.makeTimer { listing.answer() }
        timer.set(after: patience)
        listing.timer = timer
    }

    private init(_ call: MethodCall, _ units: [FolderUnit]) {
        self.call = call
        self.units = units
    }

    private func ask(_ side: Side, of unit: FolderUnit, _ service: Worker) {
        let (kept, folder, id) = (unit.kept, unit.uri, unit.settings.id)
        let isAsked = service.blocking.run({ try? kept.versions(on: side) }) { [self] versions in
            if let versions {
                items += versions.map { SyncTrashItem($0, of: id, at: folder) }
            } else {
                unlisted.insert(folder)
            }
            open[folder, default: 1] -= 1
            if open[folder] == 0 { open[folder] = nil }
            guard open.isEmpty else { return }
            for unit in units { unit.letGo() }
            answer()
        }
        if isAsked { open[folder, default: 0] += 1 } else { unlisted.insert(folder) }
    }

    private func answer() {
        timer?.cancel()
        timer = nil
        guard !call.isAnswered else { return }
        unlisted.formUnion(open.keys)
        items.sort { ($0.time, $0.id) > ($1.time, $1.id) }
        call.reply { writer in
            try writer.append(value: .maps(items.map(\.map)))
            try writer.append(map: unlisted.isEmpty ? [:] : ["unlisted": .strings(unlisted.map(\.uri).sorted())])
        }
    }
}

extension SyncTrashItem {
    fileprivate init(_ version: KeptVersion, of folder: String, at uri: ItemURI) {
        self.init(
            id: version.identifier, folder: folder, uri: (version.path.uri(below: uri) ?? uri).uri,
            reason: WireWord(text: version.reason.rawValue), place: WireWord(text: version.place.rawValue),
            time: version.date * 1_000_000)
        size = version.size
        isDirectory = version.isDirectory
    }
}
