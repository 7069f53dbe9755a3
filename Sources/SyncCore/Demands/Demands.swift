/// The demands that are not over, the files that are being handled for them, and what is to be reported.
///
/// A directory is demanded file by file: so many files at a time, however many there are. Two demands for one file are one
/// piece of work.
struct Demands {
    /// The most files that are handled for a demand at the same time.
    private static let filesAtOnce = 256

    private struct Order {
        let demand: Demand
        var walk: ItemWalk
        var isWalked = false
        /// Whether it must be looked at first whether the item is as it is known.
        var awaitsLook = false
        /// The files that are being handled.
        var open: Set<NodeID> = []
        var progress: DemandProgress
        var failure: DemandFailure?
        var hasNews = false
    }

    private struct File {
        var askers: Set<DemandID> = []
        var attempts = 0
        let bytes: Int64
        var bytesDone: Int64 = 0
    }

    private var orders: [DemandID: Order] = [:]
    private var files: [NodeID: File] = [:]
    /// The files of which something must be decided.
    private var toPlan: [NodeID] = []
    /// The files that may be done although nothing of them changed that can be seen.
    private var toCheck: Set<NodeID> = []
    private var reports: [(DemandID, DemandReport)] = []
    /// Where the contents of each file that is being handled are to be. If two demands differ, somebody waits for it.
    private(set) var aims: [NodeID: Demand.Aim] = [:]
    /// The files for which a program waits.
    private(set) var openings: Set<NodeID> = []

    /// Whether no demand is left.
    var isEmpty: Bool { orders.isEmpty }
    /// The files that are being handled.
    var handled: Dictionary<NodeID, Demand.Aim>.Keys { aims.keys }
    /// Whether something must be decided.
    var isPlanningDue: Bool { !toPlan.isEmpty }

    /// Whether a file is being handled.
    func contains(_ file: NodeID) -> Bool { aims[file] != nil }

    /// How urgent it is what is done for an item.
    func urgency(of item: NodeID) -> Urgency {
        openings.contains(item) ? .awaited : contains(item) ? .demanded : .ordinary
    }

    // MARK: Making and withdrawing

    /// Adds a demand. A number that is in use is ignored.
    ///
    /// - Parameters:
    ///   - files: How many files are concerned, as far as that is known.
    ///   - bytes: How many bytes that is.
    mutating func add(_ id: DemandID, _ demand: Demand, isDirectory: Bool, files: Int, bytes: Int64) {
        guard orders[id] == nil else { return }
        var progress = DemandProgress()
        (progress.files, progress.bytes) = (files, bytes)
        orders[id] = Order(
            demand: demand, walk: ItemWalk(demand.item, isDirectory: isDirectory), progress: progress)
    }

    /// A demand that is over before it begins.
    mutating func refuse(_ id: DemandID, as end: DemandEnd) {
        if orders[id] == nil { reports.append((id, .ended(end, DemandProgress()))) }
    }

    /// Nothing is done for a demand before it was looked what is at the item's place.
    mutating func awaitLook(_ id: DemandID) { orders[id]?.awaitsLook = true }

    /// The demands that wait for a look, with their items.
    var awaitingLook: [(id: DemandID, item: NodeID)] {
        orders.filter(\.value.awaitsLook).map { ($0.key, $0.value.demand.item) }
    }

    /// What a demand waited for was looked at.
    mutating func endLook(_ id: DemandID) { orders[id]?.awaitsLook = false }

    /// Ends a demand; returns the files that nobody demands any more.
    @discardableResult
    mutating func end(_ id: DemandID, as end: DemandEnd) -> [NodeID] {
        guard let order = orders.removeValue(forKey: id) else { return [] }
        reports.append((id, .ended(end, order.progress)))
        return order.open.sorted().filter { file in
            files[file]?.askers.remove(id)
            revise(file)
            return !contains(file)
        }
    }

    /// Ends all demands in this way; returns the files that were being handled.
    mutating func endAll(as failure: DemandFailure) -> [NodeID] {
        orders.keys.sorted().flatMap { end($0, as: .failed(failure)) }
    }

    /// A demand must wait for something else.
    mutating func wait(_ id: DemandID, for reason: Explanation) { reports.append((id, .waits(reason))) }

    /// Takes what is to be reported, in order: for each demand how far it is, if that changed, before how it ended.
    mutating func takeReports() -> [(DemandID, DemandReport)] {
        if orders.isEmpty && reports.isEmpty { return [] }
        var all = reports
        reports = []
        for id in orders.keys.sorted() where orders[id]?.hasNews == true {
            orders[id]?.hasNews = false
            if let progress = orders[id]?.progress { all.append((id, .progress(progress))) }
        }
        return all
    }

    // MARK: Files

    /// The demands that may concern more files: first those for which a program waits.
    var hungry: [DemandID] {
        let ids = orders.keys.filter(hasRoom).sorted()
        return ids.filter { orders[$0]?.demand.isOpening == true }
            + ids.filter { orders[$0]?.demand.isOpening == false }
    }

    /// What is demanded; nil if that is over.
    func demand(_ id: DemandID) -> Demand? { orders[id]?.demand }

    /// Whether another file may be handled for a demand now.
    func hasRoom(for id: DemandID) -> Bool {
        orders[id].map { !$0.isWalked && !$0.awaitsLook && $0.open.count < Self.filesAtOnce } ?? false
    }

    /// The next file that a demand concerns; nil if there is none.
    mutating func nextFile(of id: DemandID, in store: any TreeStore) throws -> NodeID? {
        let file = try orders[id]?.walk.next(in: store)
        if file == nil { orders[id]?.isWalked = true }
        return file
    }

    /// A file is handled for a demand from now on.
    mutating func handle(_ file: NodeID, for id: DemandID, bytes: Int64) {
        files[file, default: File(bytes: bytes)].askers.insert(id)
        orders[id]?.open.insert(file)
        revise(file)
        toPlan.append(file)
    }

    /// Where a file's contents are to be follows from who demands it.
    private mutating func revise(_ file: NodeID) {
        let demands = (files[file]?.askers ?? []).compactMap { orders[$0]?.demand }
        aims[file] = demands.contains { $0.aim == .here } ? .here : demands.first?.aim
        if demands.contains(where: \.isOpening) { openings.insert(file) } else { openings.remove(file) }
        if demands.isEmpty { files[file] = nil }
        if files.isEmpty { (toPlan, toCheck) = ([], []) }
    }

    /// A file that need not be handled was found to have failed.
    mutating func fail(for id: DemandID, _ failure: DemandFailure) {
        orders[id]?.progress.filesFailed += 1
        orders[id]?.hasNews = true
        if orders[id]?.failure == nil { orders[id]?.failure = failure }
    }

    /// The contents of a file are where a demand with this aim wants them, or will not be.
    mutating func close(_ file: NodeID, _ aim: Demand.Aim, _ failure: DemandFailure? = nil) {
        guard let known = files[file] else { return }
        for id in known.askers where orders[id]?.demand.aim == aim {
            orders[id]?.open.remove(file)
            files[file]?.askers.remove(id)
            orders[id]?.progress.bytesDone &-= known.bytesDone
            if let failure, failure.reason != .gone || orders[id]?.demand.item == file {
                fail(for: id, failure)
            } else if failure != nil {
                // It is not in the directory any more.
                orders[id]?.progress.files -= 1
                orders[id]?.progress.bytes &-= known.bytes
                orders[id]?.hasNews = true
            } else {
                orders[id]?.progress.filesDone += 1
                orders[id]?.progress.bytesDone &+= known.bytes
                orders[id]?.hasNews = true
            }
        }
        revise(file)
    }

    /// The demands of which no file is left, with the first failure of each.
    var finished: [(id: DemandID, demand: Demand, failure: DemandFailure?)] {
        orders.filter { $0.value.isWalked && $0.value.open.isEmpty }
            .map { ($0.key, $0.value.demand, $0.value.failure) }.sorted { $0.0 < $1.0 }
    }

    /// This many bytes of a file have arrived.
    mutating func advance(_ file: NodeID, to bytes: Int64) {
        guard let known = files[file], bytes > known.bytesDone else { return }
        let done = min(bytes, known.bytes)
        for id in known.askers {
            orders[id]?.progress.bytesDone &+= done - known.bytesDone
            orders[id]?.hasNews = true
        }
        files[file]?.bytesDone = done
    }

    /// Counts an attempt that failed; returns how many there were.
    mutating func noteAttempt(_ file: NodeID) -> Int {
        files[file]?.attempts += 1
        return files[file]?.attempts ?? 0
    }

    /// Another item stands for a file from now on.
    mutating func pass(_ old: NodeID, to new: NodeID) {
        guard let known = files.removeValue(forKey: old) else { return }
        revise(old)
        for id in known.askers {
            orders[id]?.open.remove(old)
            handle(new, for: id, bytes: known.bytes)
        }
    }

    // MARK: Planning

    /// Something of a file must be decided, if it is being handled.
    mutating func release(_ file: NodeID) {
        guard contains(file) else { return }
        toPlan.append(file)
        toCheck.insert(file)
    }

    /// Takes the files that may be done although nothing of them changed that can be seen.
    mutating func takeToCheck() -> Set<NodeID> {
        defer { toCheck = [] }
        return toCheck
    }

    /// Takes the files of which something must be decided; those for which a program waits come first.
    mutating func takeToPlan() -> [NodeID] {
        if toPlan.isEmpty { return [] }
        defer { toPlan = [] }
        let left = toPlan.filter(contains)
        return left.filter { openings.contains($0) } + left.filter { !openings.contains($0) }
    }
}
