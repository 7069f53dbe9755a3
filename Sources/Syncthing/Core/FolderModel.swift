internal import RoundelBus

/// A folder as far as Syncthing has told of it: what its shown items are, and what is to be asked next.
///
/// Nothing is asked about items that nobody shows, except how many are not synced.
struct FolderModel {
    var settings: FolderSettings {
        didSet { if settings != oldValue { settingsChanged(from: oldValue) } }
    }
    /// Whether Syncthing answers. Until then nothing is known of the folder.
    private(set) var isReachable = false
    private(set) var activity = FolderActivity.idle
    private(set) var counts: FolderCounts?
    private(set) var failures: FolderFailures
    private(set) var conflicts: ConflictCopies
    private(set) var transfers: FolderTransfers
    private var lacked: LackedItems
    private var shown: ShownItems
    private var listings = DirectoryListings()
    private var questions = QuestionBook()
    private var looks: Set<ItemURI> = []
    private var statusChanged = true

    /// With more items of a directory at once than this, it is listed. Syncthing goes through all that is below the
    /// directory for that, which is more than a few questions are worth.
    static let manyItems = 100
    /// The largest folder of which all conflict copies are looked for, in items: its whole tree is read for that, once.
    static let mostTreeItems: UInt64 = 100_000

    init(_ settings: FolderSettings) {
        self.settings = settings
        let root = settings.root
        (failures, conflicts) = (FolderFailures(in: root), ConflictCopies(in: root))
        (transfers, lacked, shown) = (FolderTransfers(in: root), LackedItems(in: root), ShownItems(in: root))
    }

    /// Begins anew with a Syncthing that answers, of which nothing is known yet, or ends with one that does not.
    mutating func restart(isReachable: Bool) {
        var fresh = FolderModel(settings)
        fresh.isReachable = isReachable
        fresh.shown = shown.restarted(in: settings.root)
        self = fresh
        begin()
    }

    /// Whether Syncthing can be asked about the folder: it knows nothing of one that is paused.
    private var isOpen: Bool { isReachable && !settings.isPaused }

    private mutating func begin() {
        guard isOpen else { return }
        questions.want(.counts)
        questions.want(.failures)
        for device in settings.devices { questions.want(.completion(device)) }
        if shown.isWatched { beginShowing() }
        look(at: shown.all)
    }

    private mutating func settingsChanged(from old: FolderSettings) {
        statusChanged = true
        shown.changedAll()
        let isAnew = old.isPaused != settings.isPaused || old.root != settings.root
        if isAnew { restart(isReachable: isReachable) } else { begin() }
    }

    private var paths: FolderPaths { FolderPaths(root: settings.root) }

    /// The path of an item below the folder as Syncthing writes it; nil for one that it cannot sync.
    func name(of item: ItemURI) -> String? { paths.name(of: item) }

    // MARK: What is shown

    mutating func beginObserving(_ directory: ItemURI) {
        if shown.begin(directory) { beginShowing() }
    }

    private mutating func beginShowing() {
        guard isOpen else { return }
        questions.want(.ignores)
        wantLists()
        wantConflicts()
    }

    mutating func endObserving(_ directory: ItemURI) {
        shown.end(directory)
        listings.end(directory)
    }

    /// Has items found out about that a host shows now; those that are known already need nothing.
    mutating func show(_ items: [ItemURI]) {
        look(at: shown.add(items))
    }

    /// Has shown items found out about: many of one directory by a listing of it, others one by one.
    private mutating func look(at items: [ItemURI]) {
        guard isOpen else { return }
        for (directory, items) in Dictionary(grouping: items, by: { $0.parent ?? settings.root }) {
            guard items.count > Self.manyItems else {
                for item in items { look(at: item) }
                continue
            }
            looks.formUnion(items)
            listings.want(items, in: directory)
            questions.want(.listing(directory))
        }
    }

    /// Takes from a listing what is plainly as all devices should have it, and what is plainly in no index; the rest is
    /// asked for one by one.
    private mutating func resolveListing(of directory: ItemURI) {
        if questions.isOpen(.ignores) { return }
        for (item, version) in listings.take(in: directory, where: { shown[$0]?.disk != nil }) {
            // An answer of its own is newer.
            guard let disk = shown[item]?.disk, !questions.isOpen(.record(item)) else { continue }
            if let version, disk.agrees(with: version), !shown.isLeftOut(item) {
                shown.set(.known(IndexRecord(local: version, global: version, isElsewhere: false)), of: item)
                shown.changed([item])
            } else if version == nil, settings.direction == .both, shown.ignores != nil {
                // It waits, or is ignored. In a folder of one direction it may be what was changed here only.
                shown.set(.absent, of: item)
                shown.changed([item])
            } else {
                look(at: item)
            }
        }
    }

    /// Whether the badge of a shown item is known.
    func isReady(_ item: ItemURI) -> Bool {
        guard isOpen, item != settings.root, let shown = shown[item] else { return true }
        return shown.isReady && (shown.index != .absent || !questions.isOpen(.ignores))
    }

    private mutating func look(at item: ItemURI) {
        guard item != settings.root, isOpen else { return }
        looks.insert(item)
        if name(of: item) == nil { shown.set(.absent, of: item) } else { questions.want(.record(item)) }
    }

    /// Items that the badge service saw change.
    mutating func changedOnDisk(items: [ItemURI], directories: [ItemURI], overflow: Bool) {
        let places = Set(directories)
        let affected =
            overflow ? shown.all : items + shown.all { item, _ in item.parent.map(places.contains) ?? false }
        look(at: affected.filter(shown.contains))
        let mayChangePatterns = overflow || items.contains { $0.name?.encoded == ".stignore" }
        if shown.isWatched, mayChangePatterns { questions.want(.ignores) }
        // Whether an item that nobody shows has changed is Syncthing's to say.
    }

    mutating func looked(_ facts: [ItemURI: DiskFacts]) {
        for (item, facts) in facts { shown.set(facts, of: item) }
        let gone = conflicts.items.filter { facts[$0] == .missing }
        if !gone.isEmpty { take(conflicts: conflicts.items.subtracting(gone)) }
        shown.changed(facts.keys)
        for directory in listings.directories { resolveListing(of: directory) }
    }

    // MARK: What Syncthing tells

    mutating func handle(_ fact: SyncthingEvent.Fact) {
        guard isOpen else { return }
        switch fact {
        case .stateChanged(_, let word, let problem): changeActivity(FolderActivity(word: word, problem: problem))
        // Counted before a change, it would hide what the change left to do: it is a reason to ask, and no answer.
        case .countsChanged: questions.want(.counts)
        case .localIndex(_, let names): localIndexChanged(paths.items(names))
        case .remoteIndex(_, let device):
            questions.want(.counts)
            if settings.devices.contains(device) { questions.want(.completion(device)) }
        case .started(_, let name): if let item = paths.item(name) { begin(receiving: item) }
        case .finished(_, let name, _): if let item = paths.item(name) { end(receiving: item) }
        case .receiving(let folders): receiving(paths.items(folders[settings.id] ?? [:]))
        case .sending(_, let device, let blocks): sending(paths.items(blocks), to: device)
        case .failed(_, let failures): take(failures)
        case .completionChanged(_, let device):
            if settings.devices.contains(device) { questions.want(.completion(device)) }
        case .connected, .configurationChanged: break
        case .disconnected(let device):
            sending([:], to: device)
            // Who had an item is not connected any more.
            if settings.devices.contains(device) { questions.want(.completion(device)) }
        }
    }

    private mutating func changeActivity(_ new: FolderActivity) {
        guard new != activity else { return }
        activity = new
        statusChanged = true
        if new == .idle {
            shown.changed(transfers.endReceiving())
            questions.want(.counts)
            if shown.isWatched { questions.want(.ignores) }
            // A scan that has ended says of what it did not find that it is ignored, or gone.
            look(at: Array(shown.unscannedItems))
        }
        if case .stopped = new { shown.changedAll() }
    }

    private mutating func localIndexChanged(_ items: Set<ItemURI>) {
        for item in items {
            shown.scanned(item)
            if ConflictName.original(of: item) != nil {
                // Whether it came or went is on the disk.
                take(conflicts: conflicts.items.union([item]))
                looks.insert(item)
            }
            // What was just received is elsewhere.
            if activity != .syncing { lacked.changedHere(item) }
        }
        look(at: items.filter(shown.contains))
        for device in settings.devices { questions.want(.completion(device)) }
        questions.want(.counts)
        shown.changed(items)
    }

    private mutating func begin(receiving item: ItemURI) {
        statusChanged = true
        if transfers.begin(item) { shown.changed([item]) }
    }

    private mutating func end(receiving item: ItemURI) {
        statusChanged = true
        if transfers.end(item) { shown.changed([item]) }
        if shown.contains(item) { look(at: item) }
    }

    private mutating func receiving(_ new: [ItemURI: TransferProgress]) {
        if transfers.receiving != new { statusChanged = true }
        shown.changed(transfers.take(new))
    }

    private mutating func sending(_ blocks: [ItemURI: UInt64], to device: PeerID) {
        shown.changed(transfers.take(blocks, of: device))
        statusChanged = true
    }

    // MARK: Answers

    mutating func handle(_ answer: Answer, to question: Question) {
        questions.answered(question)
        switch (question, answer) {
        case (.counts, .counts(let counts)): take(counts)
        case (.failures, .failures(let failures)): take(failures)
        case (.needed, .items(let items)): take(needed: items)
        case (.ignores, _):
            if case .ignores(let patterns) = answer { shown.set(IgnorePatterns(expanded: patterns)) }
            shown.changed(shown.all { $1.index == .absent })
            for directory in listings.directories { resolveListing(of: directory) }
        case (.completion(let device), _):
            if case .completion(let completion) = answer { take(completion, of: device) }
            if !settings.devices.contains(where: { questions.isOpen(.completion($0)) }) {
                shown.changed(lacked.heardAll())
            }
        case (.unsent(let device), .items(let items)):
            take(lacked.take(paths.items(items.names), isPartial: items.isPartial, of: device))
        case (.record(let item), _): take(answer, about: item)
        case (.listing(let directory), _): take(answer, listing: directory)
        case (.tree, .tree(let names)):
            take(conflicts: paths.items(names).filter { ConflictName.original(of: $0) != nil }, areAll: true)
        case (.counts, _), (.failures, _), (.needed, _), (.unsent, _), (.tree, _): break
        }
    }

    private mutating func take(_ new: FolderCounts) {
        guard new != counts else { return wantLists() }
        counts = new
        statusChanged = true
        if !new.state.isEmpty { activity = FolderActivity(word: new.state, problem: new.problem) }
        if new.neededItems == 0 { take(lacked.take(here: [], isPartial: false)) }
        if new.failedItems == 0 && !failures.isEmpty { take([FailedItem]()) }
        wantLists()
        wantConflicts()
        shown.changed([settings.root])
    }

    /// Asks which items are not synced, if somebody shows some of the folder and there are any.
    private mutating func wantLists() {
        guard shown.isWatched, isOpen else { return }
        if counts?.neededItems ?? 0 > 0 { questions.want(.needed) }
        for (device, lacks) in lacked.completion where lacks.neededItems > 0 { questions.want(.unsent(device)) }
    }

    private mutating func take(_ failedItems: [FailedItem]) {
        let reasons = failedItems.map { ($0.name, $0.reason) }
        shown.changed(failures.replace(with: paths.items(Dictionary(reasons) { $1 })))
        statusChanged = true
    }

    private mutating func take(_ new: Completion, of device: PeerID) {
        guard settings.devices.contains(device) else { return }
        if lacked.take(new, of: device) { statusChanged = true }
        if new.neededItems == 0 {
            take(lacked.clear(device))
            // An item that was waiting for this device alone has arrived there.
            shown.changed(shown.all { $1.told?.badge == .pending })
        } else if shown.isWatched {
            questions.want(.unsent(device))
        }
    }

    private mutating func take(needed items: NeededItems) {
        let change = lacked.take(here: paths.items(items.names), isPartial: items.isPartial)
        take(change)
        look(at: change.gone.filter(shown.contains))
        if activity == .syncing { for item in paths.items(items.started) { begin(receiving: item) } }
    }

    private mutating func take(_ change: LackedItems.Change) {
        shown.changed(change.items)
        if change.isOfAll { shown.changedAll() }
    }

    /// The index has a new version of an item before the event arrives that says so, and then what is known of the other
    /// devices is older than that version.
    private mutating func noteVersion(of item: ItemURI, in record: IndexRecord) {
        guard case .known(let old)? = shown[item]?.index, !old.local.isSameVersion(as: record.local) else { return }
        lacked.changedHere(item)
        for device in settings.devices { questions.want(.completion(device)) }
    }

    private mutating func take(_ answer: Answer, about item: ItemURI) {
        guard shown.contains(item) else { return }
        listings.remove(item)
        switch answer {
        case .record(let record):
            noteVersion(of: item, in: record)
            shown.set(.known(record), of: item)
        case .none: shown.set(.absent, of: item)
        case .counts, .failures, .items, .completion, .ignores, .listing, .tree, .failed: shown.set(.failed, of: item)
        }
        shown.changed([item])
    }

    private mutating func take(_ answer: Answer, listing directory: ItemURI) {
        // It may be older than what made the next one wanted.
        if questions.isOpen(.listing(directory)) { return }
        guard case .listing(let versions) = answer else {
            for item in listings.end(directory) { look(at: item) }
            return
        }
        listings.take(versions, of: directory)
        resolveListing(of: directory)
    }

    // MARK: Conflicts

    /// Has all conflict copies of the folder looked for, once.
    mutating func wantConflicts() {
        guard !conflicts.areAll, isOpen, let counts, counts.globalItems <= Self.mostTreeItems else { return }
        questions.want(.tree)
    }

    /// Whether an answer about conflicts is outstanding.
    var looksForConflicts: Bool { questions.isOpen(.tree) || questions.isOpen(.counts) && !conflicts.areAll }

    private mutating func take(conflicts new: Set<ItemURI>, areAll: Bool = false) {
        let changes = conflicts.replace(with: new, areAll: areAll)
        if changes.isEmpty { return }
        statusChanged = true
        shown.changed(changes)
    }

    // MARK: What follows

    /// What is to be done now; empty until something else is fed in.
    mutating func takeEffects() -> FolderEffects {
        var effects = FolderEffects(questions: questions.take(), looks: Array(looks), status: statusChanged)
        looks = []
        statusChanged = false
        for item in shown.takeChanged() {
            guard let old = shown[item], isReady(item) else { continue }
            effects.ready.append(item)
            let row = row(of: item)
            guard row != old.told else { continue }
            shown.tell(row, of: item)
            effects.badges[item] = row
        }
        return effects
    }

    /// The badge of an item that is ready, which counts as told.
    mutating func give(_ item: ItemURI) -> BadgeRow {
        let row = row(of: item)
        shown.tell(row, of: item)
        return row
    }

    /// The badge of an item; none while Syncthing does not answer.
    func row(of item: ItemURI) -> BadgeRow {
        guard isReachable else { return BadgeRow() }
        let rules = BadgeRules(
            settings: settings, activity: activity, counts: counts, shown: shown, failures: failures,
            conflicts: conflicts, transfers: transfers, lacked: lacked)
        return rules.row(of: item)
    }

    // MARK: How much is left

    /// How many items this computer lacks, in a folder that receives.
    var missingItems: UInt64 { settings.direction == .sendOnly ? 0 : counts?.neededItems ?? 0 }

    /// How many items no other device has as they are here, at least.
    var unsentItems: UInt64 {
        guard !settings.direction.keepsChangesHere else { return 0 }
        return settings.devices.compactMap { lacked.completion[$0]?.neededItems }.min() ?? 0
    }

    /// Whether everything of the folder is known that its state follows from.
    var isKnown: Bool { counts != nil && settings.devices.allSatisfy { lacked.completion[$0] != nil } }
}
