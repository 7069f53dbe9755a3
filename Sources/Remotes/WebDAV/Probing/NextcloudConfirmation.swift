import Support
import SyncCore
import SyncEngine

/// Confirms that a server that says so behaves as Nextcloud does, behind nothing that spoils what Roundel asks it.
///
/// Of what ``KnownServer/traits(_:)`` says, these are confirmed: conditions of writes and moves, names in moves, tags of files
/// and directories, of writes in quick succession, listings of trees and what is told in them. What is not is noticed where it
/// is used: chunks, a part of a file that is not one, and tags that a move changes. That it writes a file beside its place is
/// so in all versions.
struct NextcloudConfirmation {
    private let scratch: ScratchCollection
    /// A hidden one, which a server that decodes destinations twice, or too early, takes for another one.
    private static let name = ".p%41;q?r#s"
    private static let moment: Int64 = 1_234_567_890

    init(_ scratch: ScratchCollection) { self.scratch = scratch }

    /// Whether the server behaves so.
    func run() async throws(DAVFailure) -> Bool {
        guard let foreign = ScratchCollection.foreignTag, let hash = ScratchCollection.hashOfS,
            let (name, other) = EntryName("known").flatMap({ name in EntryName(Self.name).map { (name, $0) } })
        else { return false }
        let directory = scratch.file("tree")
        let (file, target) = (directory.appending(name), directory.appending(other))
        _ = try await scratch.client.makeDirectory(directory)
        // Tags that are made of times and sizes are to be the same for both versions.
        let modified = ("X-OC-Mtime", "\(Self.moment)")
        let written = try await scratch.put(file, "s", headers: [modified, ContentDigest.header(hash)])
        guard let tag = written.entityTag, !tag.isWeak,
            let otherTag = try await scratch.put(target, "other").entityTag
        else { return false }
        let isMatchKept = try await isKept { () throws(DAVFailure) in
            try await scratch.put(file, "x", if: .version(foreign))
        }
        guard isMatchKept else { return false }
        let isAbsenceKept = try await isKept { () throws(DAVFailure) in
            try await scratch.put(file, "x", if: .absent)
        }
        guard isAbsenceKept else { return false }
        let before = try await scratch.items(depth: .tree)
        guard before.count == 4, before[file]?.entityTag == tag, before[target]?.entityTag == otherTag,
            isToldAsKnown(before[file], before[scratch.path]),
            let second = try await scratch.put(file, "t", if: .version(tag), headers: [modified]).entityTag,
            second != tag,
            try await areMovesKept(from: file, to: target, foreign)
        else { return false }
        let after = try await scratch.items(depth: .tree)
        return after.count == 4 && after[file]?.entityTag == second && after[target]?.entityTag == otherTag
            && hasNewTag(directory, before, after) && hasNewTag(scratch.path, before, after)
            && digest(of: after[file]) != digest(of: before[file])
    }

    private func isKept(_ body: () async throws(DAVFailure) -> DAVReply) async throws(DAVFailure) -> Bool {
        try await scratch.isRefused(for: .conditionFailed, body)
    }

    /// Whether what is told of a file and its collection is what the writer of the file said.
    private func isToldAsKnown(_ file: MultistatusResponse?, _ collection: MultistatusResponse?) -> Bool {
        guard let file, let collection, let told = digest(of: file) else { return false }
        return told.kind == .sha256 && told.bytes == ScratchCollection.hashOfS?.bytes
            && file.modified(year: scratch.client.year) == Self.moment
            && file.properties[.permissions]?.text.contains(UInt8(ascii: "W")) == true
            && ItemPage.number(of: collection) != nil && collection.properties[.available]?.text.isEmpty == false
    }

    private func digest(of file: MultistatusResponse?) -> ContentDigest? {
        file?.properties[.checksums].flatMap { ContentDigest(in: Array($0.text)) }
    }

    /// Whether moves change nothing whose conditions do not hold.
    private func areMovesKept(
        from file: RelativePath, to target: RelativePath, _ foreign: EntityTag
    ) async throws(DAVFailure) -> Bool {
        let client = scratch.client
        // One that took another name for the target would find nothing there.
        let isOverwriteKept = try await isKept { () throws(DAVFailure) in
            try await client.move(file, to: target, isDirectory: false, if: .none, overwrites: false)
        }
        guard isOverwriteKept else { return false }
        let isTargetKept = try await isKept { () throws(DAVFailure) in
            try await client.move(
                file, to: target, isDirectory: false, if: .none, overwrites: true, replacing: foreign)
        }
        guard isTargetKept else { return false }
        return try await isKept { () throws(DAVFailure) in
            try await client.move(file, to: target, isDirectory: false, if: .version(foreign), overwrites: true)
        }
    }

    private func hasNewTag(
        _ directory: RelativePath, _ before: [RelativePath: MultistatusResponse],
        _ after: [RelativePath: MultistatusResponse]
    ) -> Bool {
        guard let old = before[directory]?.entityTag, let new = after[directory]?.entityTag else { return false }
        return old != new
    }
}
