import NIOCore
import SyncCore
import SyncEngine
import Synchronization

/// The root of a folder on a server, and the mark by which it is told from another one at the same address.
final class ServerRoot: Sendable {
    private let view: ServerView
    private let area: ServerArea
    /// The mark that the root was found to carry, with the lasting id that the root had then.
    private let known = Mutex<(text: String, of: Token)?>(nil)

    init(_ view: ServerView, _ area: ServerArea) {
        self.view = view
        self.area = area
    }

    /// What the root looks like now.
    func look() async -> RootState {
        do throws(DAVFailure) {
            let found = try await view.item(
                .root, isDirectory: true, view.versions.properties.union([.dataFingerprint]))
            guard found.isCollection == true else { return .missing(view.explanation(DAVFailure(.notFound))) }
            let (_, own) = try view.versions.entry(found, now: view.client.serverTime, year: view.client.year)
            return .present(
                identity: WebDAVRemote.rootIdentity(mark: try await mark(of: own.identity)),
                generation: Self.generation(found),
                tag: view.versions.directoryTag(of: found))
        } catch {
            let explanation = view.explanation(error)
            return error.reason == .notFound ? .missing(explanation) : .unreachable(explanation)
        }
    }

    /// The fingerprint of a server's data, which its administrator has made anew after a restore from a backup. A server that
    /// has the property and was never restored says nothing in it: the first fingerprint is news as well.
    private static func generation(_ root: MultistatusResponse) -> Token {
        guard let fingerprint = root.properties[.dataFingerprint] else { return .none }
        let text = Array(fingerprint.text.withoutBlanks())
        return Token(text.isEmpty ? Array("never restored".utf8) : text)
    }

    /// Gives the root, if it is the one that is known, a mark if it has none; returns its identity.
    func mark(knownAs known: Token) async throws(EffectFailure) -> Token {
        do throws(DAVFailure) {
            let found = try await mark()
            guard RootIdentity.compare(known: known, found: WebDAVRemote.rootIdentity(mark: found)) == .same else {
                throw DAVFailure(.notFound)
            }
            if let found { return WebDAVRemote.rootIdentity(mark: found) }
            try await area.make()
            let mark = RootIdentity(known)?.mark ?? RandomName.identifier()
            let place = area.newPlace()
            let text = OneBuffer(mark)
            _ = try await view.client.write(place, length: Int64(mark.utf8.count), parts: text, if: .none)
            do throws(DAVFailure) {
                _ = try await view.client.move(
                    place, to: ServerArea.mark, isDirectory: false, if: .none, overwrites: false)
            } catch {
                _ = try? await view.client.remove(place, isDirectory: false, if: .none)
                // Another installation has just given it one.
                guard error.reason == .conditionFailed else { throw error }
            }
            return WebDAVRemote.rootIdentity(mark: try await self.mark())
        } catch {
            throw view.failure(error, at: .root)
        }
    }

    /// The mark that the root carries, which is read once where a lasting id tells that the root is the same.
    private func mark(of root: Token) async throws(DAVFailure) -> String? {
        if let known = known.withLock({ $0 }), known.of == root { return known.text }
        let found = try await mark()
        if let found, !root.isEmpty { known.withLock { $0 = (found, root) } }
        return found
    }

    /// The mark that the root carries; nil if it carries none.
    private func mark() async throws(DAVFailure) -> String? {
        do throws(DAVFailure) {
            let contents = try await view.client.open(ServerArea.mark, expecting: nil, isPaced: false)
            var text: [UInt8] = []
            while text.count <= ServerArea.markLength, let part = try await contents.next() {
                text += Array(buffer: part).prefix(ServerArea.markLength + 1)
            }
            let mark = String(decoding: text, as: UTF8.self)
            return text.count == ServerArea.markLength && mark.allSatisfy(\.isHexDigit) ? mark : nil
        } catch {
            // A server may say of what is below a collection that is not there that it is in conflict.
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            return nil
        }
    }
}
