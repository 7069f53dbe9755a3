import TestSupport

/// What a simulated world has besides people, faults and crashes. The letter is its name in the print of a script.
package enum SimulatedTrait: Character, CaseIterable, Sendable {
    /// Effects look, act and look again, and others act in between.
    case inside = "i"
    /// Each side has a clock of its own, which is wrong and is set at times.
    case clocks = "t"
    /// A crash takes back what people did and nobody made durable.
    case volatile = "v"
    /// Both sides begin with nearly the same tree.
    case correlated = "e"
    /// Names that differ in case or normalisation alone are one name on this computer as well.
    case folding = "g"
    /// The number of what was deleted is given again, and nothing tells the two apart.
    case reusedInodes = "u"
    /// Sides refuse things for a while: a disk is full, a directory is closed, a name cannot be given.
    case refusals = "f"
    /// Two or three clients on one remote; such a world has nothing of the others but what people do.
    case clients = "n"
    /// People delete much at once, and at times put it back when they are asked.
    case sweeps = "d"
    /// People give files second names; what is written under one is under all.
    case hardLinks = "h"
    /// The remote is a server that tells nothing by itself, and of each directory a tag that changes with all that is in it.
    case directoryTags = "a"
    /// The remote is a server that tells the hashes of some files.
    case digests = "c"
    /// The remote tells tags of directories as well, which are known whenever all is at rest, and people delete directories
    /// with everything in them.
    case deletedTrees = "w"
    /// The folder is on demand, and people say where they want contents to be.
    case onDemand = "o"
    /// The folder is on demand, and all of it is wanted here.
    case pinned = "b"
    /// People and programs demand contents, which the folder on demand brings and frees.
    case demands = "y"
    /// Items are only uploaded, beside what others do at the remote; such a world has nothing of the others but what people
    /// do, effects with an inside, much that is deleted at once, and second names.
    case uploadOnly = "z"

    /// Its name as an option.
    package var name: String { "\(self)" }

    /// What worlds have unless somebody asks for more: no folder can be made on demand yet.
    package static let usual = Set(allCases).subtracting([.onDemand, .pinned, .demands])

    /// What the world of a seed has: none in one world of two.
    static func drawn(from seed: UInt64) -> Set<SimulatedTrait> {
        var random = SeededRandom(seed: ~seed)
        if random.oneIn(2) { return [] }
        // Each is drawn, so that one more of them leaves the others as they were.
        let drawn = allCases.filter { random.oneIn($0 == .sweeps ? 9 : 3) }
        return usual.intersection(drawn)
    }
}
