import SyncCore

/// What people did on both sides, and which changes follow from it: the model that the engine is measured by.
///
/// Every version of a file that a person writes has a number of its own, and so has every directory: an item is followed
/// by these numbers wherever it goes. Since both sides last agreed, which is written down when a history comes to rest:
/// - a side that no other side's person gave reason to change is not changed;
/// - a version is replaced only by one that was written over it, and deleted only where a person deleted it on the other
///   side;
/// - what a person deleted does not come back, unless it was changed on the other side;
/// - a conflict needs two versions of which neither was written over the other;
/// - contents that a side holds are not brought there again;
/// - what a person deleted, and then declined to delete on the other side too, stands on both sides again.
struct Ledger {
    /// Which versions came from which others.
    private var lineage = Lineage()
    /// The version that a person last took from a name.
    private var taken: [Place: Int] = [:]
    /// Versions in whose former places something else stands, which may be taken for the next versions of them.
    private var ousted: Set<Int> = []
    /// What people deleted on each side, and what they moved, alone or with what it is in.
    private var deleted: [Set<Int>] = [[], []]
    private var moved: [Set<Int>] = [[], []]
    private var carried: [Set<Int>] = [[], []]
    /// What was deleted and is there again because the machine stopped: it may stay, or go.
    private var regained: Set<Int> = []
    /// What is there again on each side because the machine stopped, after the session had followed its deletion.
    private var returned: [Set<Int>] = [[], []]
    /// What people changed the permissions of on each side.
    private var modified: [Set<Int>] = [[], []]
    /// What people deleted since the store was backed up, or shortly before, and what they moved to where the other side
    /// has another file system; nil if it never was.
    private var deletedSinceBackup: Set<Int>?
    private var crossedSinceBackup: Set<Int>?
    /// Files that people deleted on one side and then put back, and those of which they put back a name.
    private var declined: Set<Int> = []
    private var namesDeclined: Set<Int> = []
    /// What each side held at any time, and what both sides agreed on.
    private var held: [Set<Int>] = [[], []]
    private var agreed: Set<Int> = []
    /// Versions that people wrote on both sides, each of which may be two items.
    private var twins: Set<Int> = []
    /// What waited for a person when all came to rest, before both sides were united: it still has no base.
    private var withoutBase: Set<Int> = []
    /// Versions of which there is a placeholder, or was one and then nothing that was fetched.
    private var described: Set<Int> = []
    /// The versions that became others without other contents at the remote before they were described here.
    private var dated: Set<Int> = []
    /// What the remote lost when the machine stopped. Of what there is but a placeholder of here, nothing more is left.
    private var vanished: Set<Int> = []
    /// Versions that were fetched since both sides agreed, which a session that ends may not have written down.
    private var fetched: Set<Int> = []
    /// Versions of which the session changed the permissions at the remote since then, with the same proviso.
    private var opened: Set<Int> = []
    /// Versions whose contents were on this computer when both sides agreed, and were not freed since.
    private var here: Set<Int> = []
    /// Versions that stand, or stood, under several names, each of which is an item.
    private var multiples: Set<Int> = []
    /// Those of which a person gave one more name, or took one that was not the last, on each side.
    private var gained: [Set<Int>] = [[], []]
    /// Those that a person gave a name which is not synced.
    private var gainedApart: [Set<Int>] = [[], []]
    private var lost: [Set<Int>] = [[], []]
    /// The sides on which people did something since both agreed.
    private(set) var touched: Set<Side> = []
    /// Whether both sides agreed on everything, so that what was done since is all that there is to do.
    private(set) var isComplete = false
    /// Whether the base of all comparisons was lost or made old since, or something was not synced for a while.
    private(set) var isUnion = true
    /// Whether the base is an old one, so that it is not known any more which conflicts a person decided.
    private(set) var hasOldBase = false
    /// Whether people did something while the session was at work, and whether anything failed or was interrupted.
    private(set) var hasRaced = false
    private(set) var isDisturbed = false
    private(set) var isInterrupted = false
    private var hasMovedDirectory = false
    /// What was moved to where the other side has another file system.
    private var crossed: Set<Int> = []
    /// Whether a directory was among it that the session made and whose number is not known: what it was made for was moved
    /// in that moment.
    private var hasCrossedUnknown = false
    /// Whether a person decided a conflict: that may be carried out much later.
    private(set) var hasChosen = false
    /// Contents that were transferred since both sides agreed.
    private var transfers = 0
    private var written = 0

    private struct Place: Hashable {
        var side: Side
        var directory: Int
        var name: EntryName
    }

    private static func index(_ side: Side) -> Int { Int(side.rawValue) }

    // MARK: What people do

    /// A person did something on a side.
    ///
    /// - Parameter isAtRest: Whether the session had nothing to do.
    mutating func act(on side: Side, isAtRest: Bool) {
        touched.insert(side)
        if !isAtRest { hasRaced = true }
    }

    /// A person wrote a version over another one.
    mutating func write(_ content: Int, over old: Int, on side: Side) {
        lineage.write(content, over: old)
        declined.remove(old)
        held[Self.index(side)].insert(content)
        // That one name is replaced changes a time of the file: what is under way to another one is brought once more.
        written += multiples.contains(old) ? 2 : 1
    }

    /// A person made a file or a directory at a name in a directory.
    mutating func make(_ number: Int, named name: EntryName, in directory: Int, on side: Side) {
        let isTwin = held[Self.index(side.other)].contains(number)
        if isTwin { twins.insert(number) }
        held[Self.index(side)].insert(number)
        if let old = taken[Place(side: side, directory: directory, name: name)] {
            lineage.write(number, over: old)
            ousted.insert(old)
        }
        written += 1
    }

    /// A person deleted a file or directory with all that is in it, and that at one place on both sides if it was met
    /// there as well.
    ///
    /// - Parameter left: What the side still holds.
    mutating func delete(_ numbers: [Int], on side: Side, leaving left: Set<Int> = []) {
        for number in numbers {
            let versions = versions(upTo: number)
            deleted[Self.index(side)].formUnion(versions.subtracting(left))
            deletedSinceBackup?.formUnion(versions.subtracting(left))
            lost[Self.index(side)].formUnion(versions.intersection(left).intersection(multiples))
        }
        declined.subtract(numbers)
        namesDeclined.subtract(numbers)
    }

    /// A person was asked about deletions on a side and puts back what is missing there; returns the files that have to
    /// come back. Which those are is certain only if everything was deleted while all was at rest: of earlier deletions
    /// some may have been followed already. What has the number of something deleted may be taken for that, and what was
    /// saved anew is not missing while its next version is where it was.
    ///
    /// - Parameters:
    ///   - left: What the other side holds, once for each name.
    ///   - files: The files among it that are synced.
    ///   - present: What is on the side.
    mutating func decline(
        deletionsOn side: Side, holding left: [Int], files: Set<Int>, besides present: Set<Int>
    ) -> Set<Int> {
        let isCertain = isComplete && !isUnion && !hasRaced && !isDisturbed && !isInterrupted && !hasChosen
        let replaced = present.reduce(into: Set<Int>()) { $0.formUnion(versions(upTo: $1)) }
        var numbers = deleted[Self.index(side)].intersection(left)
        let unsure = isCertain ? numbers.intersection(takenFor.union(replaced)) : numbers
        touched.insert(side.other)
        written += left.count { numbers.contains($0) || lost[Self.index(side)].contains($0) }
        regained.formUnion(unsure)
        numbers.subtract(unsure)
        deleted[Self.index(side)].subtract(numbers)
        declined.formUnion(numbers.intersection(files))
        // A file that kept another name was not deleted: what is missing is one name, which is brought as a file of its own.
        if isCertain { namesDeclined.formUnion(lost[Self.index(side)].intersection(left)) }
        return numbers.intersection(files)
    }

    /// What counted as deleted on a side is there again.
    mutating func undelete(_ numbers: [Int], on side: Side) {
        written += deleted[Self.index(side)].intersection(numbers).count
        deleted[Self.index(side)].subtract(numbers)
    }

    /// These have names on a side that are not synced from now on: what was moved there counts as deleted.
    mutating func hide(_ numbers: Set<Int>, on side: Side) {
        let index = Self.index(side)
        deleted[index].formUnion(numbers.intersection(moved[index].union(carried[index])))
    }

    /// A directory got a name here that is not synced. If there was a placeholder in it when the session looked last, nothing
    /// that was in it then is deleted at the remote, which may have the only contents.
    mutating func hideDirectory(_ numbers: Set<Int>) {
        let gone = deleted[Self.index(.local)]
        if gone.isDisjoint(with: described) { return }
        regained.formUnion(numbers.reduce(into: gone) { $0.formUnion(versions(upTo: $1)) })
    }

    /// What could not be told apart before, as it had a name that is not synced, is there for the first time: an item of
    /// its own, whatever the other side holds.
    mutating func appear(_ numbers: [Int]) {
        written += numbers.count
        agreed.subtract(numbers)
        twins.formUnion(numbers)
    }

    /// Something went from its name. What has no number of its own, a symbolic link, is not synced: what stood there
    /// before it is still what the other side holds.
    mutating func leave(_ name: EntryName, in directory: Int, _ number: Int, on side: Side) {
        if number == 0 { return }
        taken[Place(side: side, directory: directory, name: name)] = number
    }

    /// A person moved an item with all that is in it.
    mutating func move(_ number: Int, with below: [Int], isDirectory: Bool, on side: Side) {
        if isDirectory { hasMovedDirectory = true }
        moved[Self.index(side)].formUnion(versions(upTo: number))
        for carriedAlong in below { carried[Self.index(side)].formUnion(versions(upTo: carriedAlong)) }
    }

    /// What was moved has to be copied on the other side, where another file system is.
    ///
    /// - Parameter hasUnknown: Whether the number of a directory among it is not known.
    mutating func cross(_ numbers: [Int], hasUnknown: Bool = false) {
        if hasUnknown { hasCrossedUnknown = true }
        for number in numbers { crossed.formUnion(versions(upTo: number)) }
        crossedSinceBackup?.formUnion(crossed)
    }

    /// Whether a version, one that it was written over, or one that took the place of such a one, was moved to another file
    /// system.
    private func hasCrossed(_ number: Int) -> Bool {
        let known = versions(upTo: number)
        return !known.isDisjoint(with: crossed)
            || crossed.contains { !lineage.predecessors(of: $0).isDisjoint(with: known) }
    }

    /// A person moved an item to a name in a directory; returns what went from there, in the place of which it is now.
    @discardableResult
    mutating func arrive(_ number: Int, as name: EntryName, in directory: Int, on side: Side) -> Int? {
        guard let old = taken[Place(side: side, directory: directory, name: name)] else { return nil }
        oust(old, for: number)
        return old
    }

    /// An item stands where another one stood.
    mutating func oust(_ old: Int, for number: Int) {
        takeOver(number, from: old)
        ousted.insert(old)
    }

    /// A person gave a file one more name, which may be one that is not synced.
    mutating func gainName(_ number: Int, on side: Side, isSynced: Bool) {
        multiples.insert(number)
        if !isSynced { return gainedApart[Self.index(side)].formUnion(versions(upTo: number)) }
        gained[Self.index(side)].formUnion(versions(upTo: number))
        // It stands there again, by another name than the one that was deleted.
        if deleted[Self.index(side)].remove(number) != nil { lost[Self.index(side)].insert(number) }
        written += 1
        noteRenaming(number, on: side)
    }

    /// A person took a name of a file that stands under others; true if the file got one as well, be it one that is not
    /// synced.
    @discardableResult
    mutating func loseName(_ number: Int, on side: Side) -> Bool {
        multiples.insert(number)
        lost[Self.index(side)].formUnion(versions(upTo: number))
        deleted[Self.index(side)].remove(number)
        namesDeclined.remove(number)
        let isRenamed = noteRenaming(number, on: side)
        return isRenamed || !gainedApart[Self.index(side)].isDisjoint(with: versions(upTo: number))
    }

    /// One name that went and another one that came: nobody could tell that from a renaming.
    @discardableResult
    private mutating func noteRenaming(_ number: Int, on side: Side) -> Bool {
        let (index, known) = (Self.index(side), versions(upTo: number))
        if [gained, lost].contains(where: { $0[index].isDisjoint(with: known) }) { return false }
        moved[index].formUnion(known)
        return true
    }

    /// A person wrote a version that stands under so many names at once.
    mutating func write(_ content: Int, underNames count: Int) {
        if count < 2 { return }
        multiples.insert(content)
        written += 2 * (count - 1)
    }

    /// A person put one item in the place of another one.
    mutating func takeOver(_ number: Int, from old: Int) { lineage.takeOver(number, from: old) }

    /// A person wants the contents of so many files to be elsewhere, where they may have to be brought.
    mutating func want(files: Int) { written += files }

    /// There is a placeholder of a version, or its contents were fetched.
    mutating func describe(_ number: Int, as residence: Residence) {
        if residence == .remoteAlone {
            described.insert(number)
            // The placeholder may have been made of what was seen before that.
            if dated.remove(number) != nil { appear([number]) }
        } else if described.remove(number) != nil {
            fetched.insert(number)
        }
    }

    /// All is at rest, and these are the versions whose contents are on this computer.
    mutating func rest(here numbers: Set<Int>) { here = numbers }

    /// The session freed a file, which is judged elsewhere.
    mutating func free(_ number: Int) { here.remove(number) }

    /// What is wrong with a placeholder, while no file of this computer holds what it stands for.
    func objectionToPlaceholder(of number: Int) -> String? {
        guard here.contains(number), !isUnion, !hasChosen, !hasRaced, !isInterrupted,
            !deleted.contains(where: { $0.contains(number) }), !twins.contains(number), !regained.contains(number)
        else { return nil }
        return "\(number) is no longer here, though nobody freed it"
    }

    /// A file is another version without other contents. At the remote nobody can tell that whom it was only described
    /// to: what was done to the placeholder meanwhile is a conflict.
    mutating func blur(_ number: Int, on side: Side) {
        guard side == .remote else { return }
        if described.contains(number) { appear([number]) } else { dated.insert(number) }
    }

    /// A person decided a conflict.
    mutating func choose() {
        hasChosen = true
        isComplete = false
    }

    // MARK: What else happens

    /// The base was lost or is another one: both sides are united until they agree.
    mutating func beginUnion() { isUnion = true }

    /// The store was backed up.
    mutating func backUp() {
        deletedSinceBackup = deleted[0].union(deleted[1])
        crossedSinceBackup = crossed
    }

    /// The store is as it was when it was backed up: what was deleted since then, and brought back by the other side as
    /// the base was lost, is deleted by what it knows. What was brought to another file system since then is another item
    /// there, by what it knows, and the one that it was is gone.
    mutating func restoreBackup() {
        beginUnion()
        hasOldBase = true
        regained.formUnion(deletedSinceBackup ?? [])
        crossed.formUnion(crossedSinceBackup ?? [])
    }

    /// Something failed, or was read incompletely.
    mutating func disturb() { isDisturbed = true }

    /// The process or the machine stopped: what was done just before may not be known to have been done.
    mutating func interrupt() {
        isDisturbed = true
        isInterrupted = true
        isComplete = false
        regained.formUnion(declined)
        declined = []
        // Without a base, contents that came just before look like an edit of the placeholder.
        described.formUnion(fetched)
        regained.formUnion(fetched)
        appear(fetched.sorted())
        for number in opened { blur(number, on: .remote) }
    }

    /// The session changed the permissions of a file at the remote.
    mutating func noteOwnPermissions(of number: Int) { opened.insert(number) }

    /// The watcher tells of what people did one after the other, and more of it is to come.
    mutating func race() { hasRaced = true }

    /// The machine stopped: a side holds no more than this, some of which it did not hold just before.
    ///
    /// - Parameter before: What it held then.
    mutating func crash(_ side: Side, leaving numbers: Set<Int>, before: Set<Int>) {
        let (index, again) = (Self.index(side), numbers.subtracting(before))
        held[index] = numbers
        if side == .remote { vanished.formUnion(before.subtracting(numbers)) }
        // What was moved there has other times than the placeholder was made of, wherever it is now.
        if side == .remote { for number in moved[index].intersection(numbers) { blur(number, on: .remote) } }
        returned[index].formUnion(again.intersection(deleted[Self.index(side.other)]))
        regained.formUnion(returned[index].intersection(modified[index]))
        // Which of the names are there again nobody follows.
        regained.formUnion(multiples.intersection(gained[index].union(lost[index])))
    }

    /// A person changed who may do what with an item. What the session had deleted and the machine brought back is deleted
    /// again if it is as it was when both sides agreed; else it may be one that a person put there again.
    mutating func touch(_ number: Int, on side: Side) {
        modified[Self.index(side)].insert(number)
        if returned[Self.index(side)].contains(number) { regained.insert(number) }
    }

    /// What people deleted is there again, as the machine stopped before that was on the disk.
    mutating func regain(_ numbers: Set<Int>) { regained.formUnion(numbers) }

    /// A side was put back as it was: what is gone was deleted there, and what stands in a place replaces what stood
    /// there.
    mutating func putBack(_ side: Side, lost: Set<Int>, replaced: [(new: Int, old: Int)]) {
        delete(Array(lost), on: side)
        for (new, old) in replaced { takeOver(new, from: old) }
        beginUnion()
        isComplete = false
    }

    /// Both sides hold these numbers alike, and nothing is left to be done.
    ///
    /// - Parameters:
    ///   - others: What one side holds besides.
    ///   - several: What stands in several places.
    ///   - isWhole: Nothing waits for a person.
    mutating func agree(on numbers: Set<Int>, besides others: Set<Int>, several: Set<Int>, isWhole: Bool) {
        if isUnion && !isWhole { withoutBase.formUnion(others) }
        withoutBase.subtract(numbers)
        (fetched, opened, vanished) = ([], [], [])
        for side in Side.allCases {
            let index = Self.index(side)
            held[index].formUnion(numbers)
            deleted[index].subtract(numbers)
            moved[index].subtract(numbers)
            carried[index] = []
        }
        lineage.forget(amongst: numbers)
        agreed = numbers
        // Of two items with one number one may wait for a person, while the other is gone.
        multiples.formIntersection(several)
        twins = (isWhole ? several.subtracting(multiples) : several).union(twins.subtracting(numbers))
        (gained, gainedApart, lost) = ([[], []], [[], []], [[], []])
        taken = [:]
        touched = []
        (isUnion, hasOldBase, hasRaced, isDisturbed, isInterrupted) = (false, false, false, false, false)
        hasMovedDirectory = false
        // What has no room in the other file system is brought there once a person has made some.
        if isWhole { (crossed, hasCrossedUnknown) = ([], false) }
        (transfers, written) = (0, 0)
        (ousted, regained, returned, declined, namesDeclined) = ([], [], [[], []], [], [])
        modified = [[], []]
        isComplete = isWhole
    }

    /// Nothing is known of what was agreed on, though everything is at rest.
    mutating func forgetAgreement() { isComplete = false }

    // MARK: What follows

    /// Whether both sides agreed before what people did since, which was files made and written alone.
    var isSettled: Bool {
        isComplete && !isUnion && !hasRaced && !isInterrupted && !hasChosen && moved.allSatisfy(\.isEmpty)
    }

    /// A version and all that it was written over since both sides agreed.
    func versions(upTo number: Int) -> Set<Int> { lineage.versions(upTo: number) }

    private var takenFor: Set<Int> { lineage.takenFor }

    private func isAbove(_ number: Int, _ old: Int, alsoPlaces: Bool) -> Bool {
        lineage.isAbove(number, old, alsoPlaces: alsoPlaces)
    }

    /// Whether one of these versions was written over a version, or put in its place.
    func isReplaced(_ old: Int, by versions: Set<Int>) -> Bool {
        versions.contains { isAbove($0, old, alsoPlaces: true) }
    }

    /// Whether a version, or one that it was written over or put in the place of, stands or stood under several names:
    /// permissions that are set for one name are for all, also for one under which another version takes its place then.
    func isMultiple(_ number: Int) -> Bool {
        multiples.contains { $0 == number || isAbove(number, $0, alsoPlaces: true) }
    }

    /// Whether a person put one of two items that are the same version in the place of the other one.
    func hasItsOwnPlace(_ number: Int) -> Bool { lineage.predecessors(of: number).contains(number) }

    /// Whether a person deleted something on a side since both agreed, be it that a backup put it there again.
    func isDeleted(_ number: Int, on side: Side) -> Bool { deleted[Self.index(side)].contains(number) }

    /// Whether a person took a name of a file with several names on a side.
    func hasLostName(_ number: Int, on side: Side) -> Bool { lost[Self.index(side)].contains(number) }

    /// Whether a person moved an item on a side, be it that another version of it stands on the other one by now.
    func isMoved(_ number: Int, on side: Side) -> Bool {
        !versions(upTo: number).isDisjoint(with: moved[Self.index(side)])
    }

    /// What is wrong with changing a side at all; nil if nothing is.
    func objectionToChange(on side: Side) -> String? {
        guard isComplete, !isUnion, !hasChosen, touched == [side] else { return nil }
        return "a change on \(side), though nobody did anything on \(side.other)"
    }

    /// What is wrong with moving a file on a side.
    func objectionToMoving(_ number: Int, on side: Side) -> String? {
        let (here, there) = (Self.index(side), Self.index(side.other))
        guard isComplete, !isUnion, !hasRaced, !isDisturbed, !hasChosen, agreed.contains(number),
            !ousted.contains(number)
        else { return nil }
        if takenFor.union(moved[there]).union(carried[there]).union(moved[here]).contains(number) { return nil }
        return "\(number) was moved on \(side), though nobody moved it on \(side.other)"
    }

    /// What is wrong with replacing a version by another one on a side.
    ///
    /// - Parameter isNeeded: Whether no person wrote over it, and it stands nowhere else.
    func objectionToReplacing(_ old: Int, with new: Int, on side: Side, isNeeded: Bool) -> String? {
        if isUnion || hasChosen || isAbove(new, old, alsoPlaces: true) { return nil }
        // Two items exchanged names while one of them was brought: it was taken for the other one, and is two items now.
        if hasRaced && !isNeeded { return nil }
        // It was to go from there anyway.
        let other = Self.index(side.other)
        if deleted[other].contains(old) { return nil }
        // It was deleted, and what a person put there on the other side since looks like its next version, now that it is
        // back.
        if isInterrupted && regained.contains(old) { return nil }
        // It was moved while the barrier was under way that names it where it stood, so that a later version was lost.
        if hasRaced && regained.contains(new) && moved[other].contains(new) { return nil }
        return "\(new) replaced \(old) on \(side), over which nobody wrote it"
    }

    /// What is wrong with removing a file or directory from a side.
    ///
    /// - Parameters:
    ///   - directories: What it is in.
    ///   - others: What the other side holds.
    func objectionToRemoving(
        _ number: Int, isDirectory: Bool, from side: Side, in directories: Set<Int>, others: [Int]
    ) -> String? {
        // It comes back from there as another item. Which directory it is in a mounted file system nobody follows.
        // Where the number of one that was moved there is not known, it may be any that the file is in.
        let isKnown = !hasRaced || !hasCrossedUnknown || directories.isEmpty
        let goesAlong =
            hasCrossed(number) || !crossed.isEmpty && !(directories.isDisjoint(with: crossed.union([0])) && isKnown)
        if goesAlong && (isDirectory || others.contains { isAbove($0, number, alsoPlaces: false) }) { return nil }
        // Which directory it is was told by its place when it was made.
        if isDirectory && hasRaced { return nil }
        // The one that it was made for is lost with what else was not on the disk, and was not missed at once, as its directory
        // could not be read to its end.
        if isDirectory && isInterrupted && !agreed.contains(number) { return nil }
        let other = Self.index(side.other)
        // With the number of a directory that was deleted it counts as that one, moved: also as one of which the number was
        // not known when it was made here.
        if isDirectory && !lineage.predecessors(of: number).isEmpty { return nil }
        if number == 0 || hasChosen || twins.contains(number) || regained.contains(number)
            || deleted[other].contains(number) || lost[other].contains(number)
        {
            return nil
        }
        // Which of several names was renamed nobody knows: the one that is gone was deleted, the one that is there is new.
        if multiples.contains(number) && (moved[other].contains(number) || carried[other].contains(number)) {
            return nil
        }
        // It got another name, and was taken for moved there as nobody could look at the first one; where that is in another
        // file system, it is brought to both anew.
        if isDisturbed && gained[other].contains(number) && others.contains(number) { return nil }
        if side == .local && described.contains(number) && vanished.contains(number) { return nil }
        // It was deleted here, and is back from a backup: that the session followed the deletion was not written down.
        if isInterrupted && deleted[Self.index(side)].union(lost[Self.index(side)]).contains(number) { return nil }
        // Where it went was not looked at, or not yet, or what stands in its place was taken for it.
        if hasRaced || isDisturbed || ousted.contains(number),
            isMoved(number, on: side.other) || carried[other].contains(number),
            others.contains(where: { isAbove($0, number, alsoPlaces: true) })
        {
            return nil
        }
        return "\(number) was removed from \(side), though nobody deleted it on \(side.other)"
    }

    /// What is wrong with bringing contents to a side.
    func objectionToBringing(_ content: Int, to side: Side) -> String? {
        let index = Self.index(side)
        guard held[index].contains(content), !isUnion, !hasChosen, !twins.contains(content),
            !regained.contains(content), !declined.contains(content), !namesDeclined.contains(content)
        else { return nil }
        if moved[Self.index(side.other)].contains(content) { return nil }
        // As the base was lost it waited for its name, which a person has given to something else meanwhile.
        if withoutBase.contains(content) { return nil }
        // It is there under another name.
        if gained.contains(where: { $0.contains(content) }) { return nil }
        if multiples.contains(content) && carried[Self.index(side.other)].contains(content) { return nil }
        // A move that was not written down looks like one of the other side.
        if hasRaced && hasMovedDirectory { return nil }
        if isInterrupted && (!agreed.contains(content) || moved[index].contains(content)) { return nil }
        // So does one of what only seemed to be moved, as something new had its number.
        if isInterrupted && takenFor.contains(content) { return nil }
        if deleted[index].contains(content) && !agreed.contains(content) { return nil }
        // Under one of its names it may not have been there yet, as something was in its way.
        if multiples.contains(content) && !isComplete { return nil }
        if deleted[index].contains(content) { return "\(content) came back to \(side), where it was deleted" }
        if hasRaced || isDisturbed || !crossed.isEmpty || ousted.contains(content) { return nil }
        return "\(content) was brought to \(side), which has it"
    }

    /// What is wrong with setting a version aside for another one.
    ///
    /// - Parameter isOfNames: Whether they are two items, of which one is moved to the name of the other.
    func objectionToConflict(of loser: Int, with winner: Int, isOfNames: Bool = false) -> String? {
        if isUnion || hasChosen { return nil }
        if isOfNames && moved[Self.index(.remote)].contains(winner) { return nil }
        // Moved on both sides it may count as two items.
        if loser == winner && moved.allSatisfy({ $0.contains(loser) }) { return nil }
        let both = versions(upTo: loser).union(versions(upTo: winner))
        // A person wrote two names of one file at once, while one of them took the place of the other at the remote: each
        // name is an item, and both were changed here.
        let isOneFile = loser == winner && isMultiple(loser) && !agreed.contains(loser)
        if isOfNames && isOneFile && !moved[Self.index(.remote)].isDisjoint(with: both) { return nil }
        if (hasRaced || isDisturbed) && moved.allSatisfy({ !$0.isDisjoint(with: both) }) { return nil }
        // Changed on one side and moved to another file system on the other one it was two items already when it came back
        // to the same name.
        if (hasRaced || isDisturbed) && !crossed.isDisjoint(with: both) { return nil }
        // It was deleted, so that it was given up, and is there again as the machine stopped.
        let isBack =
            deleted[Self.index(.remote)].contains(winner) || deleted[Self.index(.local)].contains(loser)
        if isInterrupted && isBack { return nil }
        // It was moved on one side and deleted on the other one, so that it was brought there anew, which was not written down.
        let isBrought = Side.allCases.contains { side in
            both.contains { isMoved($0, on: side) && isDeleted($0, on: side.other) }
        }
        if isInterrupted && isBrought { return nil }
        // Nobody knows any more that a version came from the other side.
        if isInterrupted && (!crossed.isEmpty || !(agreed.contains(loser) || agreed.contains(winner))) { return nil }
        if !twins.union(ousted).union(withoutBase).isDisjoint(with: both) { return nil }
        // Under a name that is new on both sides each version is new.
        if gained.contains(where: { !$0.isDisjoint(with: both) }) { return nil }
        let isOneSided =
            isAbove(loser, winner, alsoPlaces: false) || isAbove(winner, loser, alsoPlaces: false)
        return isOneSided ? "\(loser) was set aside for \(winner), which is no other change" : nil
    }

    /// Contents are transferred.
    mutating func transfer(_ content: Int, to side: Side, isThere: () -> Bool) -> String? {
        let known = versions(upTo: content)
        // What was renamed while that was looked at may be brought as another item: it is two from then on.
        if (hasRaced || isDisturbed) && isThere() { twins.insert(content) }
        guard isComplete, !isUnion, !hasRaced, !isDisturbed, crossed.isEmpty,
            ousted.union(twins).isDisjoint(with: known)
        else {
            return nil
        }
        // Deleted here and moved there: it stays.
        let index = Self.index(side)
        if deleted[index].contains(content) && moved[Self.index(side.other)].contains(content) { return nil }
        // See ``objectionToRemoving(_:isDirectory:from:others:)``.
        if multiples.contains(content) && (moved + carried).contains(where: { $0.contains(content) }) { return nil }
        transfers += 1
        // Each name is brought by itself.
        if !multiples.contains(content) && isThere() { return "\(content) was transferred to \(side), which holds it" }
        return transfers > written ? "\(transfers) transfers for \(written) versions" : nil
    }

    /// What is wrong with what a side holds at rest.
    func objectionToState(_ numbers: Set<Int>, of side: Side) -> String? {
        // Changed on one side and moved to another file system on the other one it is two items.
        if isUnion || hasChosen { return nil }
        if let gone = declined.subtracting(numbers).min() { return "\(gone) was put back, but is not on \(side)" }
        for number in numbers.intersection(agreed).subtracting(twins).subtracting(regained).sorted() {
            for other in Side.allCases where deleted[Self.index(other)].contains(number) {
                // A name that it got since is a change, and one that had something in its way is new on the other side.
                if gained[Self.index(other.other)].contains(number) { continue }
                if multiples.contains(number) && !isComplete || hasCrossed(number) { continue }
                // The directory that it is in was renamed, and found gone from its place before that was told: both were
                // deleted then, and what is under the new name is new.
                if hasRaced && carried[Self.index(other.other)].contains(number) { continue }
                if isInterrupted && takenFor.contains(number) { continue }
                let movers = isInterrupted ? Side.allCases : [other.other]
                if !movers.contains(where: { moved[Self.index($0)].contains(number) }) {
                    return "\(number) is on \(side), though it was deleted on \(other)"
                }
            }
        }
        return nil
    }
}
