import RoundelBus
import Support

extension SyncPreview {
    /// What adding a folder will do, in sentences.
    ///
    /// - Parameter isOnDemand: Whether what is on the remote stays there until it is opened.
    func lines(isOnDemand: Bool) -> [String] {
        var lines: [String] = []
        if downloads > 0 {
            lines.append(
                isOnDemand
                    ? tr(
                        downloads, one: "1 file ({2}) stays on the remote until it is opened.",
                        other: "{1} files ({2}) stay on the remote until they are opened.",
                        Quantity.bytes(downloadBytes))
                    : tr(
                        downloads, one: "1 file ({2}) to download.", other: "{1} files ({2}) to download.",
                        Quantity.bytes(downloadBytes)))
        }
        if uploads > 0 {
            lines.append(
                tr(
                    uploads, one: "1 file ({2}) to upload.", other: "{1} files ({2}) to upload.",
                    Quantity.bytes(uploadBytes)))
        }
        if same > 0 {
            lines.append(
                tr(
                    same, one: "1 file has the same name on both sides, and is compared.",
                    other: "{1} files have the same names on both sides, and are compared."))
        }
        if different > 0 {
            lines.append(
                tr(
                    different, one: "1 of the same name differs: both versions are kept, until you choose one.",
                    other: "{1} of the same names differ: both versions are kept, until you choose one."))
        }
        if leftHere > 0 {
            lines.append(
                tr(
                    leftHere, one: "1 item on this computer is not synced, and stays as it is.",
                    other: "{1} items on this computer are not synced, and stay as they are."))
        }
        if leftThere > 0 {
            lines.append(
                tr(
                    leftThere, one: "1 item on the remote is not synced, and stays as it is.",
                    other: "{1} items on the remote are not synced, and stay as they are."))
        }
        if isPartial { lines.append(tr("There is more: counting was stopped after a while.")) }
        if let free, !isOnDemand, downloadBytes > free {
            lines.append(tr("This computer has only {1} free.", Quantity.bytes(free)))
        }
        if let available, uploadBytes > available {
            lines.append(tr("The remote takes only {1} more.", Quantity.bytes(available)))
        }
        return lines
    }
}

extension SyncRemote {
    /// What was found, in a line.
    var sentence: String {
        let place = server ?? WorkerPath.remote(remote)
        let what: String? =
            switch kind.known {
            case .nextcloud?: "Nextcloud"
            case .owncloud?: "ownCloud"
            case .webdav?: "WebDAV"
            case .rclone?, .directory?, nil: nil
            }
        guard let what else { return tr("Found {1}.", WorkerPath.remote(remote)) }
        return path.isEmpty
            ? tr("Found {1} at {2}.", what, place) : tr("Found “{3}” on {1} at {2}.", what, place, path)
    }
}
