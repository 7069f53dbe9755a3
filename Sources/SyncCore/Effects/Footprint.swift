/// What an effect touches on both sides: what it reads, writes and makes durable.
///
/// Whatever depends on the kind of an effect, apart from carrying it out, is derived from this, so that a new effect is
/// described here and nowhere else.
package struct Footprint: Hashable, Sendable {
    /// What an effect does at a path.
    package enum Touch: Hashable, Sendable {
        /// Finds out what is there.
        case look
        /// Lists the directory that is there.
        case list
        /// Reads the contents of the file that is there.
        case read
        /// Stages contents that will probably be published there.
        case stage
        /// Makes something where nothing is.
        case make(EntryKind)
        /// Puts something new in the place of what is there.
        case replace(with: EntryKind)
        /// Changes the permissions of what is there.
        case setPermissions
        /// Puts contents into the placeholder that is there.
        case fill
        /// Makes a placeholder of the file that is there, or gives the one that is there another size and time.
        case describe
        /// Moves what is there to another path, with everything in it.
        case leave
        /// Moves something there from another path.
        case arrive
        /// Moves something there that gave its name to something else.
        case setAside
        /// Removes the file or the empty directory that is there.
        case remove
        /// Removes what is there, with everything in it.
        case discard

        /// Whether it only reads.
        var isReading: Bool {
            switch self {
            case .look, .list, .read: true
            case .stage, .make, .replace, .setPermissions, .fill, .describe, .leave, .arrive, .setAside, .remove,
                .discard:
                false
            }
        }

        /// Whether it changes the entries of the directory that holds the path.
        var changesEntries: Bool {
            switch self {
            case .make, .replace, .leave, .arrive, .setAside, .remove, .discard: true
            case .look, .list, .read, .stage, .setPermissions, .fill, .describe: false
            }
        }

        /// Whether the user can see what it does.
        package var isChange: Bool { !isReading && self != .stage }
        /// Whether what is there goes away from there.
        package var takesAway: Bool { self == .leave || self == .remove || self == .discard }
    }

    /// Something that is done at a path of a side.
    package struct Spot: Hashable, Sendable {
        /// The side.
        package var side: Side
        /// The path below the root.
        package var path: RelativePath
        /// What is done there.
        package var touch: Touch
    }

    /// What an effect makes durable of what other effects did.
    package enum Barrier: Hashable, Sendable {
        /// Staged contents.
        case contents
        /// Renames, creations, removals and permissions.
        case renames
    }

    /// The side that is changed, or else the one that is read; nil for both.
    package let side: Side?
    /// What is done at each path. A path may occur more than once.
    package let spots: [Spot]
    /// What is made durable; nil if nothing is.
    package let barrier: Barrier?

    fileprivate init(_ side: Side?, spots: [Spot], barrier: Barrier? = nil) {
        self.side = side
        self.spots = spots
        self.barrier = barrier
    }

    fileprivate init(_ side: Side, _ touches: [(path: RelativePath, touch: Touch)] = [], barrier: Barrier? = nil) {
        self.init(side, spots: touches.map { Spot(side: side, path: $0.path, touch: $0.touch) }, barrier: barrier)
    }

    // MARK: Questions

    /// Whether it does this anywhere.
    package func has(_ touch: Touch) -> Bool { spots.contains { $0.touch == touch } }

    /// Whether it reads the contents of a file, so that it may take long and can be abandoned without a trace.
    package var isTransfer: Bool { has(.read) }

    /// Whether it only reads what a side holds.
    package var isReading: Bool { !spots.isEmpty && spots.allSatisfy(\.touch.isReading) }

    /// Whether it changes something that the user can see. All of that is on ``side``.
    package var isChange: Bool { spots.contains(where: \.touch.isChange) }

    /// The paths at which it changes something that the user can see, each once.
    package var changedPaths: [RelativePath] { paths(where: \.isChange) }

    /// The paths at which it does something of this kind, each once.
    package func paths(where isMeant: (Touch) -> Bool) -> [RelativePath] {
        spots.filter { isMeant($0.touch) }.reduce(into: []) { paths, spot in
            if !paths.contains(spot.path) { paths.append(spot.path) }
        }
    }

    /// The local directories of which it changes entries, and those that it moves, each once.
    var localDirectories: [RelativePath] {
        var found: [RelativePath] = []
        for spot in spots where spot.side == .local && spot.touch.changesEntries {
            // A directory that comes into another one is written to as well.
            for path in spot.touch.takesAway ? [spot.path.parent, spot.path] : [spot.path.parent]
            where !path.isRoot && !found.contains(path) {
                found.append(path)
            }
        }
        return found
    }

    /// Whether it reads or changes something within the file system that is mounted at a place.
    func isWithin(_ point: MountPoint) -> Bool {
        spots.contains { spot in
            guard spot.side == point.side, spot.path.names.starts(with: point.path.names) else { return false }
            return spot.touch == .list || spot.path.names.count > point.path.names.count
        }
    }
}

extension Effect {
    /// What carrying it out touches.
    package var footprint: Footprint {
        switch self {
        case .probeRoots: Footprint(nil, spots: [])
        case .markRoot(let side, _), .discard(let side, _): Footprint(side)
        case .listDirectory(let side, let path, _): Footprint(side, [(path, .list)])
        case .checkEntry(let side, let path, _): Footprint(side, [(path, .look)])
        case .hashFile(let side, let path, _): Footprint(side, [(path, .read)])
        case .stage(_, let from, let path, _):
            Footprint(
                from,
                spots: [
                    Footprint.Spot(side: from, path: path, touch: .read),
                    Footprint.Spot(side: from.other, path: path, touch: .stage),
                ])
        case .syncContents(let side, _): Footprint(side, barrier: .contents)
        case .syncRenames(let side, _): Footprint(side, barrier: .renames)
        case .publish(_, let side, let path, let old, _):
            Footprint(side, [(path, old == nil ? .make(.file) : .replace(with: .file))])
        case .fill(let path, _, _): Footprint(.local, [(path, .fill)])
        case .free(let path, _, let there, _):
            Footprint(
                .local,
                spots: [
                    Footprint.Spot(side: .local, path: path, touch: .describe),
                    Footprint.Spot(side: .remote, path: there, touch: .look),
                ])
        case .describe(let path, _, let old, _): Footprint(.local, [(path, old == nil ? .make(.file) : .describe)])
        case .makeDirectory(let side, let path, _): Footprint(side, [(path, .make(.directory))])
        case .setPermissions(let side, let path, _, _, _): Footprint(side, [(path, .setPermissions)])
        case .move(let side, let from, let to, _, _): Footprint(side, [(from, .leave), (to, .arrive)])
        case .displace(let item, let name, let newcomer, _):
            Footprint(
                .local,
                [(item.path, .leave), (item.path.parent.appending(name), .setAside)] + newcomer.touches(at: item.path))
        case .replaceLocal(let from, let to):
            Footprint(.local, [(from.path, .leave), (to.path, .discard), (to.path, .arrive)])
        case .discardLocal(let item): Footprint(.local, [(item.path, .discard)])
        case .remove(let side, let path, _, _): Footprint(side, [(path, .remove)])
        case .removeTree(let path, _, _): Footprint(.remote, [(path, .discard)])
        case .within(_, let effect), .opening(_, let effect): effect.footprint
        }
    }
}

extension Newcomer {
    /// What it touches when it takes the name at a path.
    fileprivate func touches(at path: RelativePath) -> [(path: RelativePath, touch: Footprint.Touch)] {
        switch self {
        case .staged: [(path, .replace(with: .file))]
        case .directory: [(path, .replace(with: .directory))]
        case .item(let item): [(item.path, .leave), (path, .arrive)]
        }
    }
}
