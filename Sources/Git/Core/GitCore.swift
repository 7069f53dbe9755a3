package import RoundelBus
package import Support

/// Decides what git is asked, and what is told of its answers. Only what somebody shows is asked for, one question for
/// each directory; nothing is kept of the rest.
package struct GitCore {
    /// A question to git, or to the disk.
    package enum Job: Hashable, Sendable {
        /// The items of a directory.
        case directory(ItemURI)
        /// The sum of a work tree, for its own badge.
        case sum(ItemURI)
        /// The branch of a registered folder.
        case branch(ItemURI)
    }

    /// The answer.
    package enum Outcome: Equatable, Sendable {
        case directory(DirectoryReport)
        case repository(RepositoryReport)
    }

    /// What is to be done.
    package enum Action: Equatable, Sendable {
        case run(Job)
        /// What was asked with this number is known.
        case ready(Int)
        /// Badges changed.
        case tell(ItemURI, [ItemName])
        /// What is known of a registered folder as a whole changed.
        case folder(ItemURI, RepositoryReport)
        /// ``timeCame(_:)`` is to be called then.
        case wake(Instant)
    }

    private struct Place {
        var isObserved = false
        var waiting: [Int] = []
        var report: DirectoryReport?
    }

    private struct Tree {
        var report: RepositoryReport?
        var waiting: [Int] = []
    }

    private(set) var folders: [ItemURI] = []
    private var places: [ItemURI: Place] = [:]
    /// The work trees whose own badge is shown, or asked for.
    private var trees: [ItemURI: Tree] = [:]
    private var queue = JobQueue<Job, ItemURI?>()
    private var actions: [Action] = []
    /// What nobody shows and was known until the last event, so that whoever asked for it can read it after that.
    private var expired: (old: [ItemURI], new: [ItemURI]) = ([], [])

    package init() {}

    // MARK: Events

    package mutating func setFolders(_ new: [ItemURI], at now: Instant) -> [Action] {
        let added = new.filter { !folders.contains($0) }
        for gone in folders where !new.contains(gone) { queue.drop(.branch(gone)) }
        folders = new
        for folder in added { want(.branch(folder), now) }
        for place in places.keys { want(.directory(place), now) }
        return finish(now)
    }

    package mutating func begin(_ directory: ItemURI, at now: Instant) -> [Action] {
        places[directory, default: Place()].isObserved = true
        want(.directory(directory), now)
        return finish(now)
    }

    package mutating func end(_ directory: ItemURI, at now: Instant) -> [Action] {
        places[directory]?.isObserved = false
        forget(directory)
        return finish(now)
    }

    /// Somebody needs what is in a directory; ``Action/ready(_:)`` says when it is known.
    package mutating func ask(_ number: Int, _ directory: ItemURI, at now: Instant) -> [Action] {
        if places[directory]?.report != nil {
            actions.append(.ready(number))
        } else {
            places[directory, default: Place()].waiting.append(number)
            wantOnce(.directory(directory), now)
        }
        return finish(now)
    }

    /// Somebody needs the present sum of a registered folder that is a work tree.
    package mutating func askSum(_ number: Int, _ root: ItemURI, at now: Instant) -> [Action] {
        trees[root, default: Tree()].waiting.append(number)
        wantOnce(.sum(root), now)
        return finish(now)
    }

    package mutating func changed(_ changes: FolderChanges, at now: Instant) -> [Action] {
        let folder = changes.folder
        if changes.overflow { refresh(within: folder, now) }
        for directory in changes.directories {
            apply(.init(of: directory, in: folder), in: folder, isListed: true, now)
        }
        for item in changes.items { apply(.init(of: item, in: folder), in: folder, isListed: false, now) }
        return finish(now)
    }

    /// An action changed what git would say of a work tree.
    package mutating func changed(repository root: ItemURI, at now: Instant) -> [Action] {
        refresh(within: root, now)
        refreshSums(above: root, now)
        return finish(now)
    }

    package mutating func finished(
        _ job: Job, _ outcome: Outcome, took duration: Duration, at now: Instant
    ) -> [Action] {
        queue.finished(job, took: duration, at: now)
        switch (job, outcome) {
        case (.directory(let place), .directory(let report)): learn(report, of: place, now)
        case (.sum(let root), .repository(let report)): learn(report, ofTree: root)
        case (.branch(let folder), .repository(let report)):
            if folders.contains(folder) { actions.append(.folder(folder, report)) }
        case (.directory, .repository), (.sum, .directory), (.branch, .directory): break
        }
        return finish(now)
    }

    package mutating func timeCame(_ now: Instant) -> [Action] { finish(now) }

    // MARK: What is known

    /// The badges of these names.
    package func columns(_ directory: ItemURI, _ names: [ItemName]) -> BadgeColumns {
        let report = places[directory]?.report
        // A directory that changes while it is read may give a name twice.
        let states = Dictionary(report?.items.map { ($0.name, $0.state) } ?? []) { $1 }
        var columns = BadgeColumns()
        for name in names {
            let state = shown(name, states[name] ?? nil, in: directory, report)
            columns.append(name, state?.badge ?? .none, [], Progress.none)
        }
        return columns
    }

    /// The names after one, at most so many, and whether more follow.
    package func page(_ directory: ItemURI, after: ItemName?, limit: Int) -> (names: [ItemName], more: Bool) {
        let items = places[directory]?.report?.items ?? []
        let rest = after.map { after in items.drop { !(after < $0.name) } } ?? items[...]
        return (rest.prefix(limit).map(\.name), rest.count > limit)
    }

    /// What is known of one item; nil if nothing.
    package func state(of item: ItemURI) -> FileState? {
        guard let directory = item.parent, let name = item.name, let report = places[directory]?.report else {
            return nil
        }
        return shown(name, report.items.first { $0.name == name }?.state, in: directory, report)
    }

    /// Whether the index has something of the item that the last commit has not; false where that is not known.
    package func isStaged(_ item: ItemURI) -> Bool {
        guard let directory = item.parent, let name = item.name else { return false }
        let report = places[directory]?.report
        return report?.nested.contains(name) ?? false
            ? trees[item]?.report?.isStaged ?? false : report?.staged.contains(name) ?? false
    }

    /// What is known of the work tree at an item.
    package func tree(at item: ItemURI) -> RepositoryReport? { trees[item]?.report }

    private func shown(_ name: ItemName, _ state: FileState?, in directory: ItemURI, _ report: DirectoryReport?)
        -> FileState?
    {
        guard report?.nested.contains(name) ?? false else { return state }
        guard let own = trees[directory.appending(name)]?.report?.state else { return nil }
        // What the outer repository says counts where it has the inner one as a submodule.
        return state.map { $0 > .untracked ? max($0, own) : own } ?? own
    }

    // MARK: Answers

    private mutating func learn(_ report: DirectoryReport, of directory: ItemURI, _ now: Instant) {
        guard let place = places[directory] else { return }
        let old = place.report
        places[directory]?.report = report
        for name in old?.nested.subtracting(report.nested) ?? [] { forgetTree(directory.appending(name)) }
        for name in report.nested {
            let root = directory.appending(name)
            if trees[root]?.report == nil { wantOnce(.sum(root), now) }
            trees[root] = trees[root] ?? Tree()
        }
        if let old { tellDifference(old, report, directory) }
        actions += place.waiting.map { .ready($0) }
        places[directory]?.waiting = []
        if !place.isObserved { expired.new.append(directory) }
    }

    private mutating func tellDifference(_ old: DirectoryReport, _ new: DirectoryReport, _ directory: ItemURI) {
        let before = Dictionary(old.items.map { ($0.name, $0.state) }) { $1 }
        let after = Set(new.items.map(\.name))
        var names = new.items.filter { item in before[item.name].map { $0 != item.state } ?? true }.map(\.name)
        names += old.items.map(\.name).filter { !after.contains($0) }
        names += old.nested.symmetricDifference(new.nested).filter { !names.contains($0) }.sorted()
        if !names.isEmpty { actions.append(.tell(directory, names)) }
    }

    private mutating func learn(_ report: RepositoryReport, ofTree root: ItemURI) {
        guard let tree = trees[root] else { return }
        trees[root]?.report = report
        trees[root]?.waiting = []
        actions += tree.waiting.map { .ready($0) }
        guard let directory = root.parent, let name = root.name, isShown(root) else {
            return expired.new.append(root)
        }
        if tree.report != report { actions.append(.tell(directory, [name])) }
    }

    /// Whether the own badge of a work tree is shown.
    private func isShown(_ root: ItemURI) -> Bool {
        guard let directory = root.parent, let name = root.name else { return false }
        return places[directory]?.report?.nested.contains(name) ?? false
    }

    private mutating func forget(_ directory: ItemURI) {
        guard let place = places[directory], !place.isObserved, place.waiting.isEmpty else { return }
        places[directory] = nil
        queue.drop(.directory(directory))
        for name in place.report?.nested ?? [] { forgetTree(directory.appending(name)) }
    }

    private mutating func forgetTree(_ root: ItemURI) {
        guard trees[root]?.waiting.isEmpty ?? false else { return }
        trees[root] = nil
        queue.drop(.sum(root))
    }

    // MARK: Changes

    private mutating func apply(
        _ change: RepositoryChange, in folder: ItemURI, isListed: Bool, _ now: Instant
    ) {
        switch change {
        case .nothing: break
        case .repository(let root):
            refresh(within: root, now)
            refreshSums(above: root, now)
        case .patterns(let directory):
            refresh(within: directory, now)
            refreshSums(above: directory, now)
        case .item(let item):
            // Of a directory to be listed again the items themselves may have changed.
            let place = isListed ? item : item.parent ?? item
            for shown in places.keys where place.isWithin(shown) { want(.directory(shown), now) }
            for root in trees.keys where item.isWithin(root) { want(.sum(root), now) }
        case .everything: refresh(within: folder, now)
        }
    }

    /// Asks again for all that is shown in a directory or below it, and for the badges of the directories above.
    private mutating func refresh(within directory: ItemURI, _ now: Instant) {
        for shown in places.keys where shown.isWithin(directory) || directory.isWithin(shown) {
            want(.directory(shown), now)
        }
        for root in trees.keys where root.isWithin(directory) { want(.sum(root), now) }
        for folder in folders where folder.isWithin(directory) || directory.isWithin(folder) {
            want(.branch(folder), now)
        }
    }

    private mutating func refreshSums(above place: ItemURI, _ now: Instant) {
        for root in trees.keys where place.isWithin(root) { want(.sum(root), now) }
    }

    /// The same where no change is the reason: an answer that is on its way will do.
    private mutating func wantOnce(_ job: Job, _ now: Instant) {
        if !queue.contains(job) { want(job, now) }
    }

    private mutating func want(_ job: Job, _ now: Instant) {
        let place =
            switch job {
            case .directory(let place), .sum(let place), .branch(let place): place
            }
        queue.want(job, lane: folders.first { place.isWithin($0) }, at: now)
    }

    private mutating func finish(_ now: Instant) -> [Action] {
        for place in expired.old {
            forget(place)
            if !isShown(place) { forgetTree(place) }
        }
        expired = (expired.new, [])
        let due = queue.due(at: now)
        defer { actions = [] }
        return actions + due.jobs.map { .run($0) } + (due.next.map { [.wake($0)] } ?? [])
    }
}
