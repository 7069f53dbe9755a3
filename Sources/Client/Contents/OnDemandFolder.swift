package import RoundelBus

/// A synced folder, seen for where its contents are.
package struct OnDemandFolder: Sendable, Equatable {
    /// Its state, which says whether it is on demand and what is where.
    package let status: SyncFolderStatus
    /// What is freed in it without being asked for; nil in a folder that is not on demand, and if its engine has no such
    /// rules.
    package let rule: SyncFreeingRule?

    /// - Parameters:
    ///   - status: Its state.
    ///   - rule: What is freed in it without being asked for.
    package init(_ status: SyncFolderStatus, rule: SyncFreeingRule?) {
        self.status = status
        self.rule = rule
    }
}

/// What is asked of a folder that is, or is to be, on demand.
package struct OnDemandChange: Sendable, Equatable {
    /// Whether all its contents are to be on this computer again.
    package var turnsOff = false
    /// The room to keep free, in bytes, 0 for none; nil to keep the rule.
    package var freeBelow: UInt64?
    /// After how many seconds without use something is freed, 0 for never; nil to keep the rule.
    package var freeUnused: UInt64?

    /// Only turns the folder into one on demand.
    package init() {}

    /// Whether the rule of freeing changes.
    package var changesRule: Bool { freeBelow != nil || freeUnused != nil }

    func apply(to rule: inout SyncFreeingRule) {
        rule.freeBelow = freeBelow ?? rule.freeBelow
        rule.freeUnused = freeUnused ?? rule.freeUnused
    }
}

extension Engines {
    /// Turns a folder into one on demand or back, and sets its rule. What is so already stays.
    /// - Throws: ``ClientError/notAFolder(_:)``, or ``ClientError`` if the folder's engine cannot do it. The call fails
    ///   with the error of the engine.
    package func change(
        _ folder: ItemURI, _ change: OnDemandChange
    ) async throws -> LongCall<SyncContentsProgress, OnDemandFolder> {
        let engine = try await owner(of: folder, offering: .contents)
        let folders = FoldersProxy(bus: bus, engine: engine.address)
        let contents = ContentsProxy(bus: bus, engine: engine.address)
        let before = try await engine.answering { try await folders.status(at: folder) }
        return LongCall(bus: bus) { merge in
            merge.add(try contents.progress()) { .progress($0) }
        } call: {
            try await engine.answering {
                let isOnDemand = !change.turnsOff
                if before.isOnDemand != isOnDemand { try await contents.setOnDemand(isOnDemand, of: before.id) }
                if isOnDemand, change.changesRule {
                    var rule = try await contents.rule(of: before.id)
                    change.apply(to: &rule)
                    try await contents.setRule(rule, of: before.id)
                }
                let rule = isOnDemand ? try? await contents.rule(of: before.id) : nil
                return OnDemandFolder(try await folders.status(at: folder), rule: rule)
            }
        }
    }
}

extension FoldersProxy {
    /// The state of a folder, which must be named itself.
    fileprivate func status(at folder: ItemURI) async throws -> SyncFolderStatus {
        let folders = try await status(folder.uri, transfers: 0).folders
        guard let status = folders.first(where: { $0.uri == folder.uri }) else {
            throw ClientError.notAFolder(folder)
        }
        return status
    }
}
