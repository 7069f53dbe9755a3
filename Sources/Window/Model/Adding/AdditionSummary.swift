package import RoundelBus
internal import Support

/// What adding a folder would do, in words.
package struct AdditionSummary: Sendable, Equatable {
    /// A sentence each.
    package let sentences: [String]
    /// What would not work, in a sentence; nil for nothing.
    package let warning: String?

    /// - Parameters:
    ///   - name: What the remote is called.
    ///   - isOnDemand: Whether contents stay there until they are opened.
    package init(_ preview: SyncPreview, of name: String, isOnDemand: Bool) {
        sentences = Self.transfers(preview, name, isOnDemand) + Self.others(preview)
        warning = Self.shortage(preview, name, isOnDemand)
    }

    private static func transfers(_ preview: SyncPreview, _ name: String, _ isOnDemand: Bool) -> [String] {
        var sentences: [String] = []
        if preview.downloads > 0 {
            let size = Quantity.bytes(preview.downloadBytes)
            sentences.append(
                isOnDemand
                    ? tr(
                        preview.downloads, one: "1 file ({2}) appears here, and is downloaded when it is opened.",
                        other: "{1} files ({2}) appear here, and each is downloaded when it is opened.", size)
                    : tr(
                        preview.downloads, one: "1 file ({2}) is downloaded to this computer.",
                        other: "{1} files ({2}) are downloaded to this computer.", size))
        }
        if preview.uploads > 0 {
            sentences.append(
                tr(
                    preview.uploads, one: "1 file ({2}) is uploaded to {3}.",
                    other: "{1} files ({2}) are uploaded to {3}.", Quantity.bytes(preview.uploadBytes), name))
        }
        if sentences.isEmpty {
            sentences.append(
                preview.filesHere + preview.filesThere == 0
                    ? tr("There are no files yet: what you put on one side appears on the other.")
                    : tr("Both sides have the same files already."))
        }
        return sentences
    }

    private static func others(_ preview: SyncPreview) -> [String] {
        var sentences: [String] = []
        if preview.different > 0 {
            sentences.append(
                tr(
                    preview.different, one: "1 file is not the same on both sides; both versions are kept.",
                    other: "{1} files are not the same on both sides; both versions of each are kept."))
        }
        if preview.leftHere > 0 {
            sentences.append(
                tr(
                    preview.leftHere, one: "1 file or directory on this computer is not synced and stays as it is.",
                    other: "{1} files and directories on this computer are not synced and stay as they are."))
        }
        sentences.append(tr("Nothing is deleted."))
        if preview.isPartial {
            sentences.append(tr("There are more files: counting all of them would have taken too long."))
        }
        return sentences
    }

    private static func shortage(_ preview: SyncPreview, _ name: String, _ isOnDemand: Bool) -> String? {
        if let free = preview.free, !isOnDemand, preview.downloadBytes > free {
            return tr(
                """
                There is not enough space on this computer: {1} are free. Choose fewer directories, or leave the files \
                on the server until they are opened.
                """, Quantity.bytes(free))
        }
        if let available = preview.available, preview.uploadBytes > available {
            return tr("There is not enough space at {1}: {2} are free.", name, Quantity.bytes(available))
        }
        return nil
    }
}
