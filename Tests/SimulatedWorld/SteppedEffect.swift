import SyncCore

/// An effect that looks, acts and looks again: others act in between.
struct SteppedEffect {
    /// A name in a directory, wherever that is by now.
    struct Spot {
        var side: Side
        var directory: Int
        var name: EntryName
    }

    /// What was taken from a name, with all that is in it.
    struct Taken {
        var number: Int
        var inodes: [Int: SimulatedDisk.Inode]
    }

    /// What is carried out, without the mounts that it needs and the directories that are opened for it.
    let effect: Effect
    /// Where file systems have to be mounted.
    let points: [MountPoint]
    /// How many steps were made.
    var step = 0
    /// Whether it changed anything yet.
    var hasActed = false
    /// Where it acts, and where to.
    var spot: Spot?
    var target: Spot?
    /// What was there at the first look.
    var seen: Int?
    var seenInode: SimulatedDisk.Inode?
    /// Whether that could have been changed once more without a trace.
    var isSeenRacy = false
    var otherSeen: Int?
    var otherInode: SimulatedDisk.Inode?
    /// Whether everything in what it took away was as it had to be.
    var isAsExpected = false
    /// What it took away, and what it put there instead.
    var taken: Taken?
    var made: Int?
    var madeVersion: Version?
    var madeInode: SimulatedDisk.Inode?
    /// What it set beside its place, as it was then.
    var asideVersion: Version?
    var asideInode: SimulatedDisk.Inode?
    /// What it read.
    var content: Int?

    init(_ effect: Effect) {
        var (inner, points) = (effect, [MountPoint]())
        if case .within(let required, let guarded) = inner { (inner, points) = (guarded, required) }
        if case .opening(_, let opened) = inner { inner = opened }
        (self.effect, self.points) = (inner, points)
    }
}
