internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// Brings contents here, frees them and keeps them here, for callers and menus.
final class ContentsMoving {
    private let book: FolderBook
    private let loop: EventLoop
    private var works: [ObjectIdentifier: ContentsWork] = [:]

    init(_ book: FolderBook, loop: EventLoop) { (self.book, self.loop) = (book, loop) }

    /// What a list of items stands for.
    struct Selection {
        var items: [ContentsWork.Item] = []
        var refused: [(uri: ItemURI, error: WorkerError)] = []
    }

    /// Finds items; those in others of the list are left out.
    func select(_ uris: [ItemURI]) -> Selection {
        var selection = Selection()
        let all = Set(uris)
        for uri in uris where !Self.isBelow(uri, any: all) {
            guard let unit = book.folders.unit(holding: uri) else {
                selection.refused.append((uri, .unknownFolder(uri.uri)))
                continue
            }
            guard unit.settings.isOnDemand else {
                selection.refused.append((uri, .notOnDemand(unit.settings.label)))
                continue
            }
            guard let node = unit.items.node(at: uri) else {
                selection.refused.append((uri, unit.trouble ?? .noItem(uri)))
                continue
            }
            selection.items.append(ContentsWork.Item(unit: unit, node: node, uri: uri))
        }
        return selection
    }

    private static func isBelow(_ uri: ItemURI, any others: Set<ItemURI>) -> Bool {
        guard others.count > 1 else { return false }
        var place = uri.parent
        while let above = place {
            if others.contains(above) { return true }
            place = above.parent
        }
        return false
    }

    // MARK: Moving

    /// Begins to fetch or free items. The work goes on by itself until ``stop(_:)``.
    ///
    /// - Parameter onEnd: Called once, unless it is stopped. At once with a refusal, if what is to be fetched does not fit.
    func begin(
        _ aim: Demand.Aim, _ selection: Selection, onProgress: @escaping (SyncContentsProgress) -> Void,
        _ onEnd: @escaping (Result<ContentsWork, WorkerError>) -> Void
    ) -> ContentsWork {
        var kept: ContentsWork?
        let work = ContentsWork(aim, selection.items, loop: loop, onProgress: onProgress) { [unowned self] in
            guard let work = kept else { return }
            kept = nil
            works[ObjectIdentifier(work)] = nil
            onEnd(.success(work))
        }
        kept = work
        works[ObjectIdentifier(work)] = work
        for (uri, error) in selection.refused { work.fail(uri, error) }
        guard aim == .here else {
            work.advance()
            return work
        }
        checkRoom(selection) { [weak self, weak work] refusal in
            guard let self, let work, works[ObjectIdentifier(work)] != nil else { return }
            guard let refusal else { return work.advance() }
            stop(work)
            onEnd(.failure(refusal))
        }
        return work
    }

    /// Abandons what is not done yet.
    func stop(_ work: ContentsWork) {
        works[ObjectIdentifier(work)] = nil
        work.cancel()
    }

    /// Passes on why everything together does not fit on the disk; nil if it does, as far as that is known.
    private func checkRoom(_ selection: Selection, _ answer: @escaping (WorkerError?) -> Void) {
        // Folders on several disks are checked by what each needs.
        var needs: [(unit: FolderUnit, bytes: Int64)] = []
        for item in selection.items {
            let bytes = item.unit.items.presentation(of: item.node)?.contents?.bytesAway ?? 0
            if let index = needs.firstIndex(where: { $0.unit === item.unit }) {
                needs[index].bytes = needs[index].bytes.addingReportingOverflow(bytes).partialValue
            } else {
                needs.append((item.unit, bytes))
            }
        }
        func check(_ rest: ArraySlice<(unit: FolderUnit, bytes: Int64)>) {
            guard let first = rest.first else { return answer(nil) }
            guard first.bytes > 0, let contents = first.unit.contents else { return check(rest.dropFirst()) }
            contents.room(leaving: first.unit.sides.floor) { room in
                guard let room, first.bytes > room else { return check(rest.dropFirst()) }
                answer(.tooLarge(first.bytes, room, in: first.unit.settings.label))
            }
        }
        check(needs[...])
    }

    /// Fetches what is away of these items, and calls `done` at the end, with the reason if something could not be fetched.
    ///
    /// - Returns: Abandons what is not done yet; then `done` is not called.
    func bringHere(_ items: [ItemURI], _ done: @escaping (WorkerError?) -> Void) -> () -> Void {
        let onDemand = items.filter { book.folders.unit(holding: $0)?.settings.isOnDemand == true }
        // Items that are not synced are here.
        let selection = Selection(items: select(onDemand).items)
        guard !selection.items.isEmpty else {
            done(nil)
            return {}
        }
        let work = begin(.here, selection) { _ in
        } _: { result in
            switch result {
            case .success(let work): done(work.firstFailure)
            case .failure(let error): done(error)
            }
        }
        return { [weak self] in self?.stop(work) }
    }

    /// Begins to fetch or free items for somebody who does not wait; a notice tells the end.
    func beginUnwatched(_ aim: Demand.Aim, _ selection: Selection) {
        let unit = selection.items.first?.unit
        _ = begin(aim, selection) { _ in
        } _: { [weak self] result in
            self?.tellEnd(aim, result, in: unit)
        }
    }

    private func tellEnd(_ aim: Demand.Aim, _ result: Result<ContentsWork, WorkerError>, in unit: FolderUnit?) {
        guard let unit, let notices = unit.contents?.notices, !unit.hasDeparted else { return }
        let number: Int
        switch result {
        case .failure(let error):
            number = notices.tellDone(tr("“{1}”: nothing was downloaded", unit.settings.label), error.message)
        case .success(let work):
            let done = work.result
            if done.files == 0 && done.failed == 0 { return }
            number = notices.tellDone(
                aim == .here ? Self.downloaded(done) : Self.freed(done), work.firstFailure?.message ?? "")
        }
        loop.makeTimer { [weak notices] in notices?.forget(number) }.set(after: Patience.Worker.doneNotice)
    }

    private static func downloaded(_ done: SyncContentsResult) -> String {
        let size = Quantity.bytes(done.bytes)
        return done.failed == 0
            ? tr(done.files, one: "1 file downloaded ({2})", other: "{1} files downloaded ({2})", size)
            : tr(
                done.failed, one: "1 file could not be downloaded", other: "{1} files could not be downloaded")
    }

    private static func freed(_ done: SyncContentsResult) -> String {
        let size = Quantity.bytes(done.bytes)
        return done.failed == 0
            ? tr(done.files, one: "1 file freed ({2})", other: "{1} files freed ({2})", size)
            : tr(done.failed, one: "1 file could not be freed", other: "{1} files could not be freed")
    }

    // MARK: Wishes

    /// Keeps items on this computer from now on.
    /// - Throws: `Failed` if a folder cannot note that.
    func pin(_ items: [ContentsWork.Item]) throws(WorkerError) {
        for (unit, nodes) in Self.byUnit(items) {
            try unit.wish(.alwaysHere, for: nodes)
            // It stays pinned, also if it was so already for now.
            if nodes.contains(.root) { try book.change(unit) { $0.onDemand?.keepsAllForNow = nil } }
        }
    }

    /// Ends that, also for what is in the items.
    /// - Throws: `Pinned` for an item in a directory that stays pinned; nothing is changed then. `Failed` if a folder
    ///   cannot note it.
    func unpin(_ items: [ContentsWork.Item]) throws(WorkerError) {
        for item in items {
            if let above = item.unit.pinnedDirectory(above: item.uri) { throw .pinnedAbove(item.uri, by: above) }
        }
        for (unit, nodes) in Self.byUnit(items) { try unit.wish(.none, for: unit.pinned(within: nodes)) }
    }

    private static func byUnit(_ items: [ContentsWork.Item]) -> [(FolderUnit, [NodeID])] {
        Dictionary(grouping: items) { ObjectIdentifier($0.unit) }.values.map { ($0[0].unit, $0.map(\.node)) }
    }
}

extension FolderUnit {
    /// Items of which a person has said that they are kept here, and which are these or in them; and these.
    fileprivate func pinned(within nodes: [NodeID]) -> [NodeID] {
        let wanted = Set(nodes)
        let below = wishes.filter { wish in
            wish.value == .alwaysHere && items.ancestry(of: wish.key).contains { wanted.contains($0) }
        }
        return Array(wanted.union(below.keys)).sorted()
    }

    /// The directory above an item that a person has said is kept here; nil if there is none.
    func pinnedDirectory(above item: ItemURI) -> ItemURI? {
        let pinned = wishes
        var place = item.parent
        while let above = place, above.isWithin(uri) {
            if let node = items.node(at: above), pinned[node] == .alwaysHere { return above }
            place = above.parent
        }
        return nil
    }
}

extension WorkerError {
    static func noItem(_ item: ItemURI) -> WorkerError {
        WorkerError(.notSynced, tr("“{1}” is not synced.", ShownPath.short(item.filePath)))
    }

    fileprivate static func pinnedAbove(_ item: ItemURI, by above: ItemURI) -> WorkerError {
        WorkerError(
            .pinned,
            tr(
                "“{1}” is in “{2}”, which is always kept on this computer. End that for “{2}” instead.",
                ShownPath.short(item.filePath), ShownPath.short(above.filePath)))
    }

    fileprivate static func tooLarge(_ bytes: Int64, _ room: Int64, in folder: String) -> WorkerError {
        WorkerError(
            .failed,
            tr(
                """
                {1} do not fit on the disk of “{2}”, where {3} may be used. Free something, or download less.
                """, Quantity.bytes(UInt64(clamping: bytes)), folder, Quantity.bytes(UInt64(clamping: room))))
    }
}
