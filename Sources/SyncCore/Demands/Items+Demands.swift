/// What demands mean for items.
extension Items {
    /// What there is to do about a file for a demand.
    private enum Standing {
        case nothing
        case work
        case never(DemandFailure)
    }

    /// How many files are looked at in one event to find those with something to do.
    private static let looksAtOnce = 2_000
    /// How often a file may turn out to be otherwise than expected, or in use, before a demand for it fails.
    private static let attemptsAtMost = 4

    // MARK: Making

    /// Somebody makes a demand.
    ///
    /// - Parameter isSeen: Whether everything here was looked at. Otherwise the item may not be as it is known, for example
    ///   because the last session ended just after it freed it.
    /// - Returns: Whether the item's place here must be looked at.
    mutating func begin(_ id: DemandID, _ demand: Demand, isSeen: Bool) throws -> Bool {
        guard let row = try store.node(demand.item, in: .local) ?? store.node(demand.item, in: .remote) else {
            demands.refuse(id, as: .failed(DemandFailure(.gone)))
            return false
        }
        guard isOnDemand else {
            let failure = DemandFailure(.unsupported, Explanation(.notOnDemand, .local, "\(try path(of: row.id))"))
            demands.refuse(id, as: demand.aim == .here ? .done : .failed(failure))
            return false
        }
        let counts = try self.counts(of: row.id) + own(row.id, store.status(row.id))
        let isHere = demand.aim == .here
        let files = isHere ? counts.filesAway : counts.filesHere
        let bytes = isHere ? counts.bytesAway : counts.bytesHere
        if isHere, let room = demand.room, bytes > room {
            let message = Explanation(.tooLittleSpace, .local, "\(try path(of: row.id))", "\(bytes)", "\(room)")
            demands.refuse(id, as: .failed(DemandFailure(.noSpace, message)))
            return false
        }
        demands.add(id, demand, isDirectory: row.kind == .directory, files: files, bytes: bytes)
        let isDone = row.local?.residence == (isHere ? .here : .remoteAlone)
        guard !isSeen, row.kind == .file, !row.isMissing, isDone else { return false }
        demands.awaitLook(id)
        return true
    }

    /// A place here was looked at, or everything, if it is nil: demands go on that waited for that.
    mutating func endLooks(at place: Place?) throws {
        for (id, item) in demands.awaitingLook {
            if let place, let row = try store.node(item, in: .local), row.place != place { continue }
            demands.endLook(id)
        }
    }

    private func path(of id: NodeID) throws -> RelativePath {
        try store.path(of: id, in: .local) ?? store.path(of: id, in: .remote) ?? .root
    }

    /// Finds more files that demands concern. True if there may be more at once.
    mutating func followDemands() throws -> Bool {
        var looks = 0
        for id in demands.hungry {
            guard let demand = demands.demand(id) else { continue }
            while demands.hasRoom(for: id) {
                if looks == Self.looksAtOnce { return true }
                looks += 1
                guard let file = try demands.nextFile(of: id, in: store) else { break }
                switch try standing(of: file, demand.aim) {
                case .nothing: break
                case .never(let failure): demands.fail(for: id, failure)
                case .work: try handle(file, for: id, demand)
                }
            }
        }
        return false
    }

    private mutating func handle(_ file: NodeID, for id: DemandID, _ demand: Demand) throws {
        demands.handle(file, for: id, bytes: try size(of: file))
        if demand.aim == .here { demands.close(file, .away, try inUse(file)) }
        fetched.remove(file)
        // Whatever failed before, it is tried now.
        blocks.remove(file)
        try markDirty(file)
        guard demand.aim == .away, file == demand.item, try planner.decide(file).isFreeing == false else { return }
        demands.wait(id, for: isPaused ? Explanation(.waitsPaused) : Explanation(.waitsForTurn))
    }

    private func standing(of file: NodeID, _ aim: Demand.Aim) throws -> Standing {
        let (local, remote) = (try store.node(file, in: .local), try store.node(file, in: .remote))
        guard let row = local ?? remote else { return .never(DemandFailure(.gone)) }
        if row.kind != .file { return .nothing }
        let isExcluded = try isExcluded(file)
        if aim == .away && demands.aims[file] == .here { return .never(try inUse(file)) }
        // What is under way may be through already, and is not known to be.
        if hasOperation(file) { return .work }
        switch aim {
        case .here:
            if local?.isMissing == false && local?.local?.residence == .here { return .nothing }
            return isExcluded ? .never(DemandFailure(.failed, Explanation(.excludedName))) : .work
        case .away:
            guard let local, let version = local.local, version.residence == .here, version.size > 0 else {
                return .nothing
            }
            if isExcluded { return .never(DemandFailure(.onlyHere, Explanation(.excludedName))) }
            if try planner.lastingWish(for: file) == .alwaysHere {
                return .never(DemandFailure(.pinned, Explanation(.pinned, .local, "\(try path(of: file))")))
            }
            return .work
        }
    }

    private func inUse(_ file: NodeID) throws -> DemandFailure {
        DemandFailure(.inUse, Explanation(.inUse, .local, "\(try path(of: file))"))
    }

    // MARK: Ending

    /// Ends what is over of the demands, after these items changed.
    mutating func settleDemands(_ changed: some Sequence<NodeID>) throws {
        for file in changed.sorted() {
            for aim in Demand.Aim.allCases where demands.contains(file) {
                switch try standing(of: file, aim) {
                case .work: break
                case .nothing:
                    if aim == .here { try keepFetched(file) }
                    demands.close(file, aim)
                case .never(let failure): demands.close(file, aim, failure)
                }
            }
        }
        for (id, demand, failure) in demands.finished {
            let gone = try isKnown(demand.item) ? nil : DemandFailure(.gone)
            demands.end(id, as: (failure ?? gone).map { .failed($0) } ?? .done)
        }
    }

    /// What a demand brought stays for a while although a wish wants it at the remote alone.
    private mutating func keepFetched(_ file: NodeID) throws {
        guard demands.aims[file] == .here, try planner.lastingWish(for: file) == .remoteAlone else { return }
        fetched.keep(file, until: now.instant + pauses.fetchedFile)
        try markDirty(file, onlyToVerify: true)
    }

    /// A file is here that a wish wants at the remote alone, and stays for a while: until then nothing has to be done.
    mutating func putOffFreeing(of file: NodeID) throws {
        guard var status = try store.status(file), status.state == .pending else { return }
        (status.state, status.message, status.bytes) = (.synced, .nothing, 0)
        try setStatus(status, for: file)
    }

    /// A file cannot be what demands want, for this reason. True if nothing else is to be done for it, so that the failure
    /// concerns only who made these demands.
    mutating func failDemands(for file: NodeID, _ failure: DemandFailure) throws -> Bool {
        guard let aim = demands.aims[file] else { return false }
        demands.close(file, aim, failure)
        if aim == .here { demands.close(file, .away, failure) }
        return try endDemanding([file])
    }

    /// An effect for a file failed, for which there are demands. True if nothing else is to be done for it.
    mutating func noteDemandedFailure(_ failure: EffectFailure, of file: NodeID) throws -> Bool {
        guard demands.contains(file) else { return false }
        let attempts = demands.noteAttempt(file)
        switch failure.reason {
        // Everything ends when the session is offline.
        case .unreachable: return false
        // A program that shows files may have read this one for a moment. The mount is told last that it is closed again.
        case .changed, .notFound, .exists, .notEmpty, .busy: if attempts < Self.attemptsAtMost { return false }
        case .nameClash, .putOff, .denied, .noSpace, .io, .notMounted: break
        }
        return try failDemands(for: file, DemandFailure(failure))
    }

    /// Nobody demands these files any more; true if nothing is to be done for the first of them.
    @discardableResult
    mutating func endDemanding(_ files: [NodeID]) throws -> Bool {
        var isAtRest = false
        for file in files.reversed() where try isKnown(file) {
            isAtRest = try planner.decide(file) == .nothing
            if isAtRest { try markClean(file) } else { try markDirty(file) }
        }
        return isAtRest
    }
}

extension Decision {
    /// Whether it leads to a placeholder of a file on which both sides agree.
    fileprivate var isFreeing: Bool {
        switch self {
        case .free: true
        // What is uncertain is hashed first.
        case .hash: true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .transfer, .describe, .makeDirectory, .move,
            .setPermissions, .remove, .removeTree, .displace, .discard, .promoteCopy, .wait, .unseen, .blocked:
            false
        }
    }
}
