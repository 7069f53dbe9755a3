package import RoundelBus

/// What syncing did with an item, and the versions of it that are kept, in one order of time.
package struct ItemHistory: Sendable, Equatable {
    /// One thing that happened.
    package enum Event: Sendable, Equatable {
        /// An entry of an engine's log.
        case activity(SyncActivity)
        /// A version was replaced or deleted, and is kept.
        case kept(SyncTrashItem)
        /// A version was written that the server keeps.
        case server(SyncServerVersion)

        /// When it happened, in microseconds since 1970.
        package var time: Int64 {
            switch self {
            case .activity(let entry): entry.time
            case .kept(let version): version.time
            case .server(let version): version.time
            }
        }
    }

    /// The item.
    package let item: ItemURI
    /// The newest last.
    package let events: [Event]

    /// - Parameters:
    ///   - activities: Entries of logs, the newest last.
    ///   - kept: Kept versions in any order.
    ///   - limit: How many events to tell, the newest ones.
    package init(of item: ItemURI, _ activities: [SyncActivity], _ kept: [SyncTrashItem], limit: Int = .max) {
        self.item = item
        // What an item was called before it was moved: it and what is in it.
        var names = [item]
        var events: [Event] = []
        for entry in activities.reversed() {
            guard let place = try? ItemURI(entry.uri), names.contains(where: place.isWithin) else { continue }
            events.append(.activity(entry))
            if place == names.last, let old = entry.oldURI.flatMap({ try? ItemURI($0) }) { names.append(old) }
        }
        for version in kept {
            guard let place = try? ItemURI(version.uri), names.contains(where: place.isWithin) else { continue }
            events.append(.kept(version))
        }
        // Of what happened at once, the version comes first that was kept for what the log says.
        let sorted = events.reversed().enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        self.events = sorted.map(\.element).suffix(limit)
    }

    /// The same with the versions of the item that its server keeps, which are in any order.
    ///
    /// - Parameter limit: How many events to tell, the newest ones.
    package func adding(server versions: [SyncServerVersion], limit: Int = .max) -> ItemHistory {
        let all = (versions.map { .server($0) } + events).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        return ItemHistory(item: item, events: all.map(\.element).suffix(limit))
    }

    private init(item: ItemURI, events: [Event]) { (self.item, self.events) = (item, events) }

    /// The kept version of the item itself that was kept in this second; nil if there is none.
    package func version(keptAt seconds: Int64) -> SyncTrashItem? {
        for case .kept(let version) in events.reversed()
        where version.uri == item.uri && version.time / 1_000_000 == seconds { return version }
        return nil
    }
}

extension ItemHistory {
    /// The most entries of a log that are looked through.
    private static let mostEntries: UInt32 = 10_000

    /// Asks the engine of an item.
    package static func load(of item: ItemURI, limit: Int = .max, _ engines: Engines) async throws -> ItemHistory {
        let entries = try await engines.ask(ownerOf: item) { (engine: FoldersProxy) in
            try await engine.activity(limit: mostEntries)
        }
        var kept: [SyncTrashItem] = []
        do {
            kept = try await engines.ask(keeperOf: item) { trash in
                var part = try await trash.listTrash(item.uri)
                var items = part.items
                while let next = part.next {
                    part = try await trash.listTrash(item.uri, after: next)
                    items += part.items
                }
                return items
            }
        } catch ClientError.notOffered {
            // An engine that keeps nothing has a log all the same.
        }
        return ItemHistory(of: item, entries, kept, limit: limit)
    }
}
