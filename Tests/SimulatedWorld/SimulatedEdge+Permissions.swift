import SyncCore

/// Who may do what on the simulated disks, and whether an effect opens what nobody opened.
extension SimulatedEdge {
    mutating func setPermissions(
        _ side: Side, _ path: RelativePath, _ kind: EntryKind, _ expected: Version, _ permissions: Permissions
    ) -> EffectResult {
        guard let number = find(side, path, expected, kind), let inode = self[side].state.inodes[number] else {
            return failure(side, path)
        }
        guard self[side].version(of: number, now: now).permissions == expected.permissions else { return changed }
        checkOpening(side, path, from: inode.permissions, to: permissions)
        self[side].beginVolatileChange()
        self[side].setPermissions(permissions, of: number, now: now)
        return .wrote(self[side].version(of: number, now: now))
    }

    /// The permissions of something new that takes the name of a local item, which was a `kind` with the permissions
    /// `old`: of a staged file in the place of a file those that are wanted, or else those of that file, in the place
    /// of a directory no more than its source has.
    func permissions(
        of newcomer: Newcomer, displacing kind: EntryKind?, _ old: Permissions?, wanted: Permissions?
    ) -> Permissions? {
        guard case .staged(let stage) = newcomer else { return wanted }
        if kind == .file { return wanted ?? old }
        guard let source = staged[stage]?.permissions else { return wanted }
        return wanted?.within(source)
    }

    /// Nothing is opened to the group and to others but executing to those who may read: `old` is what stood there, or
    /// where nothing did, what it is a copy of.
    mutating func checkOpening(_ side: Side, _ path: RelativePath, from old: Permissions?, to new: Permissions?) {
        guard let old, let new else { return }
        let opened = new.subtracting(old).bits & 0o077
        let readers = new.bits >> 2 & 0o011
        if opened & ~readers != 0 { leaks.append("\(path) on \(side) was opened from \(old) to \(new)") }
    }
}
