import SyncCore

/// Contents that come to placeholders and leave files, as in a folder on demand: under one lock for each item, so that
/// nobody acts in between.
extension SimulatedEdge {
    mutating func fill(_ path: RelativePath, with stage: StageID, expected: Version) -> EffectResult {
        guard let file = staged[stage] else { return .failed(EffectFailure(.io, "not staged")) }
        guard let number = find(.local, path, expected, .file), let inode = self[.local].state.inodes[number],
            inode.residence == .remoteAlone
        else { return failure(.local, path) }
        // It stands for another version: nobody must see that one's size with these contents.
        if inode.content != file.content { return changed }
        staged[stage] = nil
        return setContents(file.content, size: file.size, modified: inode.modified, .here, of: number)
    }

    mutating func free(
        _ path: RelativePath, expected: Version, ifRemote there: RelativePath, has version: Version
    ) -> EffectResult {
        guard let twin = find(.remote, there, version, .file),
            version.isCertainly(self[.remote].version(of: twin, now: now))
        else { return changed }
        guard let number = find(.local, path, expected, .file), let inode = self[.local].state.inodes[number],
            inode.residence == .here
        else { return failure(.local, path) }
        if opened.contains(number) { return .failed(EffectFailure(.busy)) }
        // A placeholder has one name.
        if inode.isLinked && self[.local].state.names(ofFile: inode.identity).count > 1 {
            return .failed(EffectFailure(.denied, Explanation(.severalNames)))
        }
        return setContents(inode.content, size: inode.size, modified: inode.modified, .remoteAlone, of: number)
    }

    mutating func describe(
        _ path: RelativePath, as source: Version, expected: Version?, permissions: Permissions?
    ) -> EffectResult {
        let content = own(.remote).content(of: source)
        if let expected {
            guard let number = find(.local, path, expected, .file),
                self[.local].state.inodes[number]?.residence == .remoteAlone
            else { return failure(.local, path) }
            return setContents(content, size: source.size, modified: source.modified, .remoteAlone, of: number)
        }
        if let taken = taken(.local, path) { return taken }
        self[.local].beginVolatileChange()
        let made = self[.local].create(
            .file, content: content, size: source.size, at: path, permissions: permissions, modified: source.modified,
            residence: .remoteAlone, now: now)
        return made.map { .wrote(self[.local].version(of: $0, now: now)) } ?? failure(.local, path)
    }

    private mutating func setContents(
        _ content: Int, size: Int64, modified: Int64, _ residence: Residence, of number: Int
    ) -> EffectResult {
        self[.local].beginVolatileChange()
        self[.local].setContents(content, size: size, modified: modified, residence, of: number, now: now)
        return .wrote(self[.local].version(of: number, now: now))
    }
}
