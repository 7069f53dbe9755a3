package import Client
package import DBus
package import RoundelBus
internal import Secrets
internal import Support

/// The end of a login: what it means for the folders that use it.
package struct LogOut: Sendable {
    /// The login.
    package let remote: LoginRemote
    /// The folders that use it.
    package let folders: [SyncedFolder]
    /// The files of these that are on the remote alone, which are removed from this computer.
    package let onlineFiles: UInt64

    /// A login that these folders use.
    package init(_ remote: LoginRemote, folders: [SyncedFolder], onlineFiles: UInt64) {
        (self.remote, self.folders, self.onlineFiles) = (remote, folders, onlineFiles)
    }

    /// Finds out what uses the login of a folder.
    package static func of(_ folder: ItemURI, bus: AsyncConnection) async throws -> LogOut {
        let known = AccountFolders(bus: bus)
        let remote = try await known.remote(of: folder)
        let folders = try await known.using(remote.account)
        let (files, _) = try await known.placeholders(in: folders.filter(\.isOnDemand))
        return LogOut(remote, folders: folders, onlineFiles: files)
    }

    /// What is to be asked, in a few words.
    package var heading: String { tr("Log Out from {1}?", remote.account.server) }

    /// What happens then.
    package var consequences: String {
        let names = TextList.of(folders.map { DisplayText.escaped($0.label) })
        var sentences = [tr("Your password is deleted from your keyring. Your files stay where they are.")]
        if !folders.isEmpty {
            sentences.append(tr("{1} can be synced again when you log in.", names))
        }
        if onlineFiles > 0 {
            sentences.append(
                tr(
                    onlineFiles,
                    one: "1 file that is online only is removed from this computer until then.",
                    other: "{1} files that are online only are removed from this computer until then."))
        }
        return sentences.joined(separator: " ")
    }

    /// Ends the login, and takes away what is online only.
    /// - Returns: What was done, as a sentence.
    package func carryOut(bus: AsyncConnection) async throws -> String {
        let ended = try await SavedAccounts(bus: bus).end(at: remote)
        guard !ended.isEmpty else { return tr("No password was saved for {1}.", remote.account.server) }
        let known = AccountFolders(bus: bus)
        for folder in folders where folder.isOnDemand { _ = try await known.clear(folder, removesLocal: false) }
        // They say that they need a login only once they are synced.
        for folder in folders where !folder.isPaused { try? await known.sync(folder) }
        return tr("You are logged out from {1}.", remote.account.server)
    }
}
