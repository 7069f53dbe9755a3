internal import FoundationEssentials
internal import SyncCore

/// The relevant capabilities of a server with Nextcloud's interface.
struct ServerCapabilities: Sendable {
    /// Its version.
    let version: String?
    /// The address of its channel for changes.
    let changeChannel: String?
    /// What it says about shares; nil if it has none.
    let sharing: SharingCapabilities?
    /// Whether people can lock files.
    let locksFiles: Bool
    /// Whether it keeps versions of files that are written again.
    let keepsVersions: Bool

    /// Whether the logged-in user may share by links.
    var givesShareLinks: Bool { sharing?.givesLinks ?? false }

    /// Asks a server; nil if it has no such interface.
    ///
    /// - Parameter client: A client of the synced collection.
    static func read(_ client: DAVClient) async throws(DAVFailure) -> ServerCapabilities? {
        let place = RelativePath(ServerPages.base(of: client.location) + ServerPages.capabilities)
        do throws(DAVFailure) {
            return ServerCapabilities(try await client.at([]).read(json: place))
        } catch {
            // Other servers do not know this request.
            guard let status = error.status, status < 500, !error.isAboutLogin else { throw error }
            return nil
        }
    }

    private init?(_ answer: [UInt8]) {
        guard let said = try? JSONDecoder().decode(Answer.self, from: Data(answer)) else { return nil }
        version = said.ocs.data.version?.string
        let apps = said.ocs.data.capabilities
        changeChannel = apps.notify_push?.endpoints?.websocket
        var sharing = apps.files_sharing
        sharing?.leastPassword = apps.password_policy?.minLength
        self.sharing = sharing
        locksFiles = apps.files?.locking != nil
        keepsVersions = apps.files?.versioning ?? false
    }
}

/// Apps that are missing, or report something unexpected, are ignored.
private struct Answer: Decodable {
    struct Envelope: Decodable { var data: Contents }
    struct Contents: Decodable {
        var version: Version?
        var capabilities: Apps
    }
    struct Version: Decodable { var string: String? }

    struct Apps: Decodable {
        var notify_push: Push?
        var files_sharing: SharingCapabilities?
        var files: Files?
        var password_policy: PasswordPolicy?

        private enum Key: CodingKey { case notify_push, files_sharing, files, password_policy }

        init(from decoder: any Decoder) throws {
            let apps = try decoder.container(keyedBy: Key.self)
            notify_push = try? apps.decode(Push.self, forKey: .notify_push)
            files_sharing = try? apps.decode(SharingCapabilities.self, forKey: .files_sharing)
            files = try? apps.decode(Files.self, forKey: .files)
            password_policy = try? apps.decode(PasswordPolicy.self, forKey: .password_policy)
        }
    }

    struct Push: Decodable { var endpoints: Endpoints? }
    struct Endpoints: Decodable { var websocket: String? }
    struct Files: Decodable {
        /// The version of the interface for locks, if there is one.
        var locking: String?
        /// Whether versions are kept.
        var versioning: Bool?

        private enum Key: CodingKey { case locking, versioning }

        init(from decoder: any Decoder) throws {
            let files = try decoder.container(keyedBy: Key.self)
            locking = try? files.decode(String.self, forKey: .locking)
            versioning = try? files.decode(Bool.self, forKey: .versioning)
        }
    }
    struct PasswordPolicy: Decodable { var minLength: Int64? }

    var ocs: Envelope
}
