internal import FoundationEssentials
internal import SyncCore

/// A password that a server gave to this computer (Nextcloud's app passwords).
package enum AppPassword {
    /// Lets the server take back the password that the client uses; false if it is no such password, or if the server has
    /// none.
    ///
    /// - Parameter client: A client of the synced collection.
    package static func revoke(_ client: DAVClient) async throws(DAVFailure) -> Bool {
        guard AccountFiles(of: client.location) != nil else { return false }
        let place = RelativePath(ServerPages.base(of: client.location) + ServerPages.appPassword)
        do throws(DAVFailure) {
            let text = try await client.at([]).remove(json: place, [("format", "json")])
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(text))
            return answer?.ocs.meta.statuscode == 200
        } catch {
            // It is the user's own password.
            guard error.reason == .denied || error.reason == .notFound || error.reason == .notAllowed else {
                throw error
            }
            return false
        }
    }

    private struct Answer: Decodable {
        struct Envelope: Decodable { var meta: Meta }
        struct Meta: Decodable { var statuscode: Int }

        var ocs: Envelope
    }
}
