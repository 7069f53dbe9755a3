internal import RoundelBus

/// A folder as far as Syncthing has told of it: what its shown items are, and what is to be asked next.
///
/// Nothing is asked about items that nobody shows, except how many are not synced.
struct FolderModel {
    /// What follows from what was fed in.
    struct Effects {
        /// To be asked now.
        var questions: [Question] = []
        /// Whose place on the disk is to be looked at.
        var looks: [ItemURI] = []
        /// Shown items of which the badge is known now.
        var ready: [ItemURI] = []
        /// The badges of shown items that have changed.
        var badges: [ItemURI: BadgeRow] = [:]
        /// Whether the state of the whole folder may have changed.
        var status = false
    }

    var settings: FolderSettings {
        didSet { if settings != oldValue { settingsChanged(from: oldValue) } }
    }
    /// Whether Syncthing answers. Until then nothing is known of the folder.
    private(set) var isReachable = false
    private(set) var activity = FolderActivity.idle
    private(set) var counts: FolderCounts?
    private(set) var completion: [PeerID: Completion] = [:]
    private(set) var failures: [ItemURI: String] = [:]
    /// The conflict copies that are known.
    private(set) var conflicts: ItemTally
    /// Whether all of the folder's conflict copies are known.
    private(set) var knowsConflicts = false
    private(set) var receiving: [ItemURI: TransferProgress] = [:]
    private(set) var sending: [ItemURI: [PeerID: UInt64]] = [:]
    private var failed: ItemTally
    private var needed: ItemTally
    private var neededIsPartial = false
    private var started: ItemTally
    private var sent: ItemTally
    private var unsent: [PeerID: UnsentItems] = [:]
    /// Items whose change on the disk is not in the index yet.
    private var unscanned: ItemTally
    /// Items that this computer has changed since it was known what other devices lack.
    private var uncertain: ItemTally
    /// Nil until they are known, and if they cannot be had.
    private var ignores: IgnorePatterns?
    private var originals: Set<ItemURI> = []
    private var shown: [ItemURI: ShownItem] = [:]
    private var directories: Set<ItemURI> = []
    /// Shown items that are looked up in the listing of their directory, with that once it is there.
    private var listings: [ItemURI: Listing] = [:]
    private var questions = QuestionBook()
    private var looks: Set<ItemURI> = []
    private var dirty: Set<ItemURI> = []
    private var statusChanged = true

    private struct Listing {
        var items: Set<ItemURI>
        var versions: [ItemURI: IndexRecord.Version]?
    }

    private struct UnsentItems {
        var items: ItemTally
        var isPartial: Bool
    }

    /// With more new items at once than this, their directory is listed. Syncthing goes through all that is below the
    /// directory for that, which is more than a few questions are worth.
    static let manyItems = 100
    /// The largest folder of which all conflict copies are looked for, in items: its whole tree is read for that, once.
    static let mostTreeItems: UInt64 = 100_000

    init(_ settings: FolderSettings) {
        self.settings = settings
        let none = ItemTally(in: settings.root)
        (conflicts, failed, needed, started, sent, unscanned, uncertain) = (none, none, none, none, none, none, none)
    }

    /// Begins anew with a Syncthing that answers, of which nothing is known yet, or ends with one that does not.
    mutating func restart(isReachable: Bool) {
        var fresh = FolderModel(settings)
        fresh.isReachable = isReachable
        fresh.directories = directories
        fresh.shown = shown.mapValues { ShownItem(told: $0.told) }
        fresh.dirty = Set(shown.keys)
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
        if isShown { beginShowing() }
        for item in shown.keys { look(at: item) }
    }

    private mutating func settingsChanged(from old: FolderSettings) {
        statusChanged = true
        dirty.formUnion(shown.keys)
        if old.isPaused != settings.isPaused || old.root != settings.root {
            restart(isReachable: isReachable)
        } else {
            begin()
        }
    }

    // MARK: Items

    /// The item of a path that Syncthing gave; nil for one that cannot be.
    private func item(_ name: String) -> ItemURI? {
        var place = settings.root
        for part in name.split(separator: "/") {
            guard let part = try? ItemName(bytes: part.utf8) else { return nil }
            place = place.appending(part)
        }
        return place == settings.root ? nil : place
    }

    /// The path of an item below the folder as Syncthing writes it; nil if it is not UTF-8, which Syncthing does not
    /// sync, and for the folder itself.
    func name(of item: ItemURI) -> String? {
        guard item.isBelow(settings.root) else { return nil }
        var parts: [String] = []
        var place = item
        while place != settings.root, let name = place.name, let parent = place.parent {
            guard let part = String(validating: name.bytes, as: UTF8.self) else { return nil }
            parts.append(part)
            place = parent
        }
        return parts.reversed().joined(separator: "/")
    }

    private func items(_ names: [String]) -> Set<ItemURI> { Set(names.compactMap(item)) }

    private mutating func changed(_ items: some Sequence<ItemURI>) {
        for item in items {
            var place: ItemURI? = item
            while let current = place, current.isWithin(settings.root) {
                if shown[current] != nil { dirty.insert(current) }
                place = current.parent
            }
        }
    }

    // MARK: What is shown

    /// Whether somebody shows something of the folder.
    private var isShown: Bool { !directories.isEmpty }

    mutating func beginObserving(_ directory: ItemURI) {
        directories.insert(directory)
        if directories.count == 1 { beginShowing() }
    }

    private mutating func beginShowing() {
        guard isOpen else { return }
        questions.want(.ignores)
        wantLists()
        wantConflicts()
    }

    mutating func endObserving(_ directory: ItemURI) {
        directories.remove(directory)
        for item in shown.keys where item.parent == directory {
            shown[item] = nil
            unscanned.remove(item)
        }
        listings[directory] = nil
    }

    /// Has items found out about that a host shows now; those that are known already need nothing.
    mutating func show(_ items: [ItemURI]) {
        let new = items.filter { shown[$0] == nil }
        for item in new { shown[item] = ShownItem() }
        guard new.count > Self.manyItems, isOpen else {
            for item in new { look(at: item) }
            return
        }
        for (directory, items) in Dictionary(grouping: new, by: { $0.parent ?? settings.root }) {
            looks.formUnion(items)
            listings[directory, default: Listing(items: [])].items.formUnion(items)
            questions.want(.listing(directory))
        }
    }

    /// Takes from a listing what is plainly as all devices should have it; the rest is asked for one by one.
    private mutating func resolveListing(of directory: ItemURI) {
        guard let listing = listings[directory], let versions = listing.versions, !questions.isOpen(.ignores) else {
            return
        }
        for item in listing.items {
            guard let disk = shown[item]?.disk else { continue }
            listings[directory]?.items.remove(item)
            // An answer of its own is newer.
            guard shown[item]?.index == .open else { continue }
            if let version = versions[item], disk.agrees(with: version), !isLeftOut(item),
                !questions.isOpen(.record(item))
            {
                shown[item]?.index = .known(IndexRecord(local: version, global: version, isElsewhere: false))
                checkScan(of: item)
                changed([item])
            } else {
                look(at: item)
            }
        }
        if listings[directory]?.items.isEmpty ?? false { listings[directory] = nil }
    }

    /// Whether the badge of a shown item is known.
    func isReady(_ item: ItemURI) -> Bool {
        guard isOpen, item != settings.root, let shown = shown[item] else { return true }
        return shown.isReady && (shown.index != .absent || !questions.isOpen(.ignores))
    }

    private mutating func look(at item: ItemURI) {
        guard item != settings.root, isOpen else { return }
        looks.insert(item)
        if name(of: item) == nil { shown[item]?.index = .absent } else { questions.want(.record(item)) }
    }

    /// Items that the badge service saw change.
    mutating func changedOnDisk(items: [ItemURI], directories: [ItemURI], overflow: Bool) {
        let places = Set(directories)
        let affected =
            overflow ? Array(shown.keys) : items + shown.keys.filter { $0.parent.map(places.contains) ?? false }
        for item in affected where shown[item] != nil { look(at: item) }
        if isShown, overflow || items.contains(where: { $0.name?.encoded == ".stignore" }) { questions.want(.ignores) }
        // Whether an item that nobody shows has changed is Syncthing's to say.
    }

    mutating func looked(_ facts: [ItemURI: DiskFacts]) {
        for (item, facts) in facts where shown[item] != nil {
            shown[item]?.disk = facts
            checkScan(of: item)
        }
        let gone = facts.filter { $0.value == .missing && conflicts.contains($0.key) }.keys
        if !gone.isEmpty { take(conflicts: conflicts.items.subtracting(gone)) }
        changed(facts.keys)
        for directory in listings.keys { resolveListing(of: directory) }
    }

    /// Whether a shown item is on the disk as Syncthing has seen it there.
    private mutating func checkScan(of item: ItemURI) {
        guard let shown = shown[item], let disk = shown.disk else { return }
        let isSeen =
            switch shown.index {
            case .open, .failed: true
            case .absent: disk == .missing || isLeftOut(item)
            case .known(let record): disk.agrees(with: record.local) || record.local.isIgnored
            }
        if isSeen || disk == .special { unscanned.remove(item) } else { unscanned.insert(item) }
    }

    /// Whether an item that the index does not have stays out of it. Without the patterns this is not known, and it is
    /// not said to be waiting.
    private func isLeftOut(_ item: ItemURI) -> Bool {
        guard let ignores, let name = name(of: item) else { return true }
        return IgnorePatterns.isInternal(name) || ignores.ignores(name) ?? true
    }

    // MARK: What Syncthing tells

    mutating func handle(_ fact: SyncthingEvent.Fact) {
        guard isOpen else { return }
        switch fact {
        case .stateChanged(_, let word, let problem): changeActivity(FolderActivity(word: word, problem: problem))
        // Counted before a change, it would hide what the change left to do: it is a reason to ask, and no answer.
        case .countsChanged: questions.want(.counts)
        case .localIndex(_, let names): localIndexChanged(items(names))
        case .remoteIndex(_, let device):
            questions.want(.counts)
            if settings.devices.contains(device) { questions.want(.completion(device)) }
        case .started(_, let name): if let item = item(name) { begin(receiving: item) }
        case .finished(_, let name, _): if let item = item(name) { end(receiving: item) }
        case .receiving(let folders): receiving(folders[settings.id] ?? [:])
        case .sending(_, let device, let blocks): sending(blocks, to: device)
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
            changed(started.items)
            started.replace(with: [])
            receiving = [:]
            questions.want(.counts)
            if isShown { questions.want(.ignores) }
            // A scan that has ended says of what it did not find that it is ignored, or gone.
            for item in unscanned.items { look(at: item) }
        }
        if case .stopped = new { dirty.formUnion(shown.keys) }
    }

    private mutating func take(_ new: FolderCounts) {
        guard new != counts else { return wantLists() }
        counts = new
        statusChanged = true
        if !new.state.isEmpty { activity = FolderActivity(word: new.state, problem: new.problem) }
        if new.neededItems == 0 {
            neededIsPartial = false
            changed(needed.replace(with: []))
        }
        if new.failedItems == 0 && !failures.isEmpty { take([FailedItem]()) }
        wantLists()
        wantConflicts()
        if shown[settings.root] != nil { dirty.insert(settings.root) }
    }

    /// Asks which items are not synced, if somebody shows some of the folder and there are any.
    private mutating func wantLists() {
        guard isShown, isOpen else { return }
        if counts?.neededItems ?? 0 > 0 { questions.want(.needed) }
        for (device, completion) in completion where completion.neededItems > 0 { questions.want(.unsent(device)) }
    }

    private mutating func localIndexChanged(_ items: Set<ItemURI>) {
        for item in items {
            unscanned.remove(item)
            if shown[item] != nil { look(at: item) }
            if ConflictName.original(of: item) != nil {
                // Whether it came or went is on the disk.
                take(conflicts: conflicts.items.union([item]))
                looks.insert(item)
            }
            // What was just received is elsewhere.
            if activity != .syncing { uncertain.insert(item) }
        }
        for device in settings.devices { questions.want(.completion(device)) }
        questions.want(.counts)
        changed(items)
    }

    private mutating func begin(receiving item: ItemURI) {
        statusChanged = true
        if started.insert(item) { changed([item]) }
    }

    private mutating func end(receiving item: ItemURI) {
        receiving[item] = nil
        statusChanged = true
        if started.remove(item) { changed([item]) }
        if shown[item] != nil { look(at: item) }
    }

    private mutating func receiving(_ new: [String: TransferProgress]) {
        let old = receiving
        receiving = Dictionary(new.compactMap { entry in item(entry.key).map { ($0, entry.value) } }) { $1 }
        changed(Set(old.keys).union(receiving.keys))
        if old != receiving { statusChanged = true }
    }

    private mutating func sending(_ blocks: [String: UInt64], to device: PeerID) {
        let new = Dictionary(blocks.compactMap { entry in item(entry.key).map { ($0, entry.value) } }) { $1 }
        for item in sending.keys where sending[item]?[device] != nil && new[item] == nil {
            sending[item]?[device] = nil
            if sending[item]?.isEmpty ?? true { sending[item] = nil }
        }
        for (item, count) in new { sending[item, default: [:]][device] = count }
        changed(sent.replace(with: Set(sending.keys)))
        changed(new.keys)
        statusChanged = true
    }

    private mutating func take(_ failedItems: [FailedItem]) {
        failures = Dictionary(
            failedItems.compactMap { failure in item(failure.name).map { ($0, failure.reason) } }
        ) { $1 }
        changed(failed.replace(with: Set(failures.keys)))
        statusChanged = true
    }

    private mutating func take(_ new: Completion, of device: PeerID) {
        guard settings.devices.contains(device) else { return }
        if completion[device] != new { statusChanged = true }
        completion[device] = new
        if new.neededItems == 0 {
            let old = unsent.removeValue(forKey: device)
            changed(old?.items.items ?? [])
            if old?.isPartial ?? false { dirty.formUnion(shown.keys) }
            // An item that was waiting for this device alone has arrived there.
            dirty.formUnion(shown.keys.filter { shown[$0]?.told?.badge == .pending })
        } else if isShown {
            questions.want(.unsent(device))
        }
    }

    // MARK: Answers

    /// An answer of Syncthing, by the question.
    enum Answer: Sendable {
        case counts(FolderCounts)
        case failures([FailedItem])
        case items(NeededItems)
        case completion(Completion)
        case ignores([String])
        case record(IndexRecord)
        case listing([String: IndexRecord.Version])
        case tree([String])
        /// There is no such item, or nothing of this kind.
        case none
        /// Syncthing did not answer, or in a form that is not understood.
        case failed
    }

    mutating func handle(_ answer: Answer, to question: Question) {
        questions.answered(question)
        switch (question, answer) {
        case (.counts, .counts(let counts)): take(counts)
        case (.failures, .failures(let failures)): take(failures)
        case (.needed, .items(let items)): take(needed: items)
        case (.ignores, _):
            if case .ignores(let patterns) = answer { ignores = IgnorePatterns(expanded: patterns) }
            for item in shown.keys where shown[item]?.index == .absent {
                checkScan(of: item)
                changed([item])
            }
            for directory in listings.keys { resolveListing(of: directory) }
        case (.completion(let device), _):
            if case .completion(let completion) = answer { take(completion, of: device) }
            if !settings.devices.contains(where: { questions.isOpen(.completion($0)) }) {
                changed(uncertain.replace(with: []))
            }
        case (.unsent(let device), .items(let items)): take(items, unsentTo: device)
        case (.record(let item), _): take(answer, about: item)
        case (.listing(let directory), _): take(answer, listing: directory)
        case (.tree, .tree(let names)):
            knowsConflicts = true
            let found = items(names).filter { ConflictName.original(of: $0) != nil }
            take(conflicts: found)
        case (.counts, _), (.failures, _), (.needed, _), (.unsent, _), (.tree, _): break
        }
    }

    private mutating func take(needed items: NeededItems) {
        let new = self.items(items.names)
        let old = needed.items
        changed(needed.replace(with: new))
        for item in old.subtracting(new) where shown[item] != nil { look(at: item) }
        if neededIsPartial != items.isPartial {
            neededIsPartial = items.isPartial
            dirty.formUnion(shown.keys)
        }
        if activity == .syncing { for item in self.items(items.started) { begin(receiving: item) } }
    }

    private mutating func take(_ items: NeededItems, unsentTo device: PeerID) {
        var list = unsent[device] ?? UnsentItems(items: ItemTally(in: settings.root), isPartial: false)
        changed(list.items.replace(with: self.items(items.names)))
        if list.isPartial != items.isPartial { dirty.formUnion(shown.keys) }
        list.isPartial = items.isPartial
        unsent[device] = list
    }

    private mutating func take(_ answer: Answer, about item: ItemURI) {
        guard shown[item] != nil else { return }
        switch answer {
        case .record(let record): shown[item]?.index = .known(record)
        case .none: shown[item]?.index = .absent
        case .counts, .failures, .items, .completion, .ignores, .listing, .tree, .failed: shown[item]?.index = .failed
        }
        checkScan(of: item)
        changed([item])
    }

    private mutating func take(_ answer: Answer, listing directory: ItemURI) {
        guard let listing = listings[directory] else { return }
        guard case .listing(let versions) = answer else {
            listings[directory] = nil
            for item in listing.items { look(at: item) }
            return
        }
        let items = versions.compactMap { name, version in
            (try? ItemName(bytes: name.utf8)).map { (directory.appending($0), version) }
        }
        listings[directory]?.versions = Dictionary(items) { $1 }
        resolveListing(of: directory)
    }

    // MARK: Conflicts

    /// Has all conflict copies of the folder looked for, once.
    mutating func wantConflicts() {
        guard !knowsConflicts, isOpen, let counts, counts.globalItems <= Self.mostTreeItems else { return }
        questions.want(.tree)
    }

    /// Whether an answer about conflicts is outstanding.
    var looksForConflicts: Bool { questions.isOpen(.tree) || questions.isOpen(.counts) && !knowsConflicts }

    private mutating func take(conflicts new: Set<ItemURI>) {
        let changes = conflicts.replace(with: new)
        guard !changes.isEmpty else { return }
        originals = Set(new.compactMap(ConflictName.original))
        statusChanged = true
        changed(changes)
        changed(changes.compactMap(ConflictName.original))
    }

    // MARK: What follows

    /// What is to be done now; empty until something else is fed in.
    mutating func takeEffects() -> Effects {
        var effects = Effects(questions: questions.take(), looks: Array(looks), status: statusChanged)
        looks = []
        statusChanged = false
        for item in dirty {
            guard let old = shown[item], isReady(item) else { continue }
            effects.ready.append(item)
            let row = row(of: item)
            guard row != old.told else { continue }
            shown[item]?.told = row
            effects.badges[item] = row
        }
        dirty = []
        return effects
    }

    /// The badge of an item that is ready, which counts as told.
    mutating func give(_ item: ItemURI) -> BadgeRow {
        let row = row(of: item)
        shown[item]?.told = row
        return row
    }

    // MARK: How much is left

    /// How many items this computer lacks, in a folder that receives.
    var missingItems: UInt64 { settings.direction == .sendOnly ? 0 : counts?.neededItems ?? 0 }

    /// How many items no other device has as they are here, at least.
    var unsentItems: UInt64 {
        guard !settings.direction.keepsChangesHere else { return 0 }
        return settings.devices.compactMap { completion[$0]?.neededItems }.min() ?? 0
    }

    /// The conflict copies with the items that they belong to.
    var conflictPairs: [(original: ItemURI, copy: ItemURI)] {
        conflicts.items.sorted().compactMap { copy in ConflictName.original(of: copy).map { ($0, copy) } }
    }

    /// Whether everything of the folder is known that its state follows from.
    var isKnown: Bool { counts != nil && settings.devices.allSatisfy { completion[$0] != nil } }

    // MARK: Badges

    /// The badge of an item. Where something is not known, it is none.
    func row(of item: ItemURI) -> BadgeRow {
        guard isReachable else { return BadgeRow() }
        let row = unpausedRow(of: item)
        guard settings.isPaused else { return row }
        return BadgeRow(badge: row.badge == .excluded ? .excluded : .paused)
    }

    private func unpausedRow(of item: ItemURI) -> BadgeRow {
        let isRoot = item == settings.root
        let path = name(of: item)
        if !isRoot {
            guard let path else { return BadgeRow(badge: .excluded) }
            if IgnorePatterns.isInternal(path) { return BadgeRow(badge: .excluded) }
        }
        if settings.isPaused { return BadgeRow() }
        if case .stopped = activity { return BadgeRow(badge: isRoot ? .error : .none) }
        if failed.contains(item) || failed.hasSome(below: item) { return BadgeRow(badge: .error) }
        if conflicts.contains(item) || originals.contains(item) || conflicts.hasSome(below: item) {
            return BadgeRow(badge: .conflict)
        }
        if let moving = movingRow(item) { return moving }
        let own = isRoot ? rootBadge : ownBadge(item, path ?? "")
        guard own == .synced, shown[item]?.disk == .directory || isRoot else { return BadgeRow(badge: own) }
        return BadgeRow(badge: contentBadge(item))
    }

    private func movingRow(_ item: ItemURI) -> BadgeRow? {
        if let progress = receiving[item] { return BadgeRow(badge: .syncing, progress: progress.percent) }
        if let devices = sending[item], let progress = sendingProgress(item, devices) {
            return BadgeRow(badge: .syncing, progress: progress)
        }
        let isMoving = started.contains(item) || sent.contains(item)
        return isMoving || started.hasSome(below: item) || sent.hasSome(below: item) ? BadgeRow(badge: .syncing) : nil
    }

    private func sendingProgress(_ item: ItemURI, _ devices: [PeerID: UInt64]) -> UInt8? {
        guard case .known(let record)? = shown[item]?.index, record.global.blocks > 0 else { return nil }
        let done = devices.values.max() ?? 0
        return TransferProgress(done: done, total: record.global.blocks).percent
    }

    /// The badge of the folder as a whole.
    private var rootBadge: Badge {
        guard let counts, !settings.devices.isEmpty else { return .none }
        if counts.neededItems > 0 {
            return settings.direction == .sendOnly ? .changedElsewhereOnly : activity == .syncing ? .syncing : .pending
        }
        if counts.changedHereOnly > 0 { return .changedHereOnly }
        return .synced
    }

    /// The badge of an item by itself, whatever is in it.
    private func ownBadge(_ item: ItemURI, _ path: String) -> Badge {
        guard let shown = shown[item], let disk = shown.disk, disk != .notLooked else { return .none }
        switch shown.index {
        case .open, .failed: return .none
        case .absent:
            if disk == .special { return .excluded }
            guard disk != .missing, let isIgnored = ignores?.ignores(path) else { return .none }
            return isIgnored ? .excluded : .pending
        case .known(let record): return badge(of: record, disk, item)
        }
    }

    private func badge(of record: IndexRecord, _ disk: DiskFacts, _ item: ItemURI) -> Badge {
        if record.local.isIgnored || disk == .special { return .excluded }
        if disk == .missing { return .none }
        if !disk.agrees(with: record.local) || record.local.mustRescan { return .pending }
        if record.local.isChangedHereOnly { return .changedHereOnly }
        guard record.isCurrent, !needed.contains(item) else {
            return settings.direction == .sendOnly ? .changedElsewhereOnly : .pending
        }
        if settings.devices.isEmpty { return .none }
        return isSent(item, record) ? .synced : .pending
    }

    /// Whether some other device has the item as it is here.
    private func isSent(_ item: ItemURI, _ record: IndexRecord) -> Bool {
        if record.isElsewhere { return true }
        return !uncertain.contains(item) && someDevice { !$0.contains(item) }
    }

    /// Whether this is true of what some other device lacks of the folder.
    private func someDevice(_ condition: (ItemTally) -> Bool) -> Bool {
        settings.devices.contains { device in
            guard let completion = completion[device] else { return false }
            if completion.neededItems == 0 { return true }
            guard let list = unsent[device], !list.isPartial else { return false }
            return condition(list.items)
        }
    }

    /// The badge of a directory that is synced itself, by what is in it.
    private func contentBadge(_ item: ItemURI) -> Badge {
        let isBehind = neededIsPartial || needed.hasSome(below: item) || unscanned.hasSome(below: item)
        if isBehind || uncertain.hasSome(below: item) { return .pending }
        return someDevice { !$0.hasSome(below: item) } ? .synced : .pending
    }
}

extension Badge {
    /// Changed in a folder that sends nothing.
    static let changedHereOnly = Badge("syncthing.changed-here")
    /// Changed on other devices, in a folder that does not accept it.
    static let changedElsewhereOnly = Badge("syncthing.changed-elsewhere")
}
