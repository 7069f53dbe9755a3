/// The rules of a folder from which items are only uploaded.
///
/// Nothing of the remote is looked at. Its tree holds what the folder put there and did not find gone since, with the name
/// that it has there; the base holds what was uploaded, at the place where it was here at that time. What is not in the tree
/// of the remote any more was delivered and is not brought again unless it changes or moves.
struct UploadRules {
    /// Whether a file goes to the trash once it was uploaded.
    let trashesUploaded: Bool
    /// Places of the remote at which something was found that this folder did not put there.
    private var taken: Set<Place> = []
    /// Items that may be gone from the remote; that is certain once its root was found.
    private var suspected: [NodeID] = []
    /// How often each directory was found to be gone since something arrived in it.
    private var remade: [NodeID: Int] = [:]

    init(trashesUploaded: Bool) { self.trashesUploaded = trashesUploaded }

    /// Whether something else was found at a place.
    func isTaken(_ place: Place) -> Bool { taken.contains(place) }

    /// Something else was found at a place.
    mutating func noteTaken(_ place: Place) { taken.insert(place) }

    /// An item is not at the remote as it was put there, unless the root is gone. False if that was said too often of the
    /// directory of something new, in which nothing arrived meanwhile: a remote that tells nonsense gets no end of
    /// directories.
    mutating func suspect(_ id: NodeID, isDirectoryOfIt isDirectory: Bool) -> Bool {
        // All that was on its way into a directory says of it that it is gone, which it was once.
        if suspected.contains(id) { return true }
        if isDirectory {
            remade[id, default: 0] += 1
            if remade[id, default: 0] > Self.mostRemade { return false }
        }
        suspected.append(id)
        return true
    }

    /// Something arrived in a directory, so the remote tells the truth about it: others may take it as often as they want.
    mutating func noteArrival(in directory: NodeID) { remade[directory] = nil }

    /// How often a directory is made anew while nothing arrives in it.
    private static let mostRemade = 16

    /// Takes the items that may be gone.
    mutating func takeSuspected() -> [NodeID] {
        defer { suspected = [] }
        return suspected
    }
}

/// What it means that the remote refused something.
enum UploadRefusal {
    /// The name is taken: another one is tried.
    case isTaken
    /// Something that was put there is not there any more as it was.
    case mayBeGone
    /// It failed.
    case other
}
