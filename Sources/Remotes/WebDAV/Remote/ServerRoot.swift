import NIOCore
import SyncCore
import SyncEngine
import Synchronization

/// The root of a folder on a server, and the mark that distinguishes it from another root at the same address.
final class ServerRoot: Sendable {
    private let view: ServerView
    private let area: ServerArea
    private let asides: AsideDirectories
    /// The last mark that was read, with the lasting ID of the root at that time.
    private let known = Mutex<(text: String, of: Token)?>(nil)
    /// Whether the last look found a root without a lasting ID. The next look reads the mark at the same time as the root:
    /// far from the server, that takes half as long. Otherwise the mark is read after the root, so that a login that
    /// the server refuses is sent once, and not at all if the root's ID tells the mark.
    private let isReadBeside = Mutex(false)

    init(_ view: ServerView, _ area: ServerArea, _ asides: AsideDirectories) {
        self.view = view
        self.area = area
        self.asides = asides
    }

    /// The current state of the root.
    func look() async -> RootState {
        let isBeside = isReadBeside.withLock { beside in
            defer { beside = false }
            return beside
        }
        async let beside = isBeside ? markResult() : nil
        do throws(DAVFailure) {
            let found = try await view.item(
                .root, isDirectory: true, view.versions.properties.union([.dataFingerprint]))
            guard found.isCollection == true else { return .missing(view.explanation(DAVFailure(.notFound))) }
            area.tidy()
            // What an earlier run left aside must be back before anything is listed.
            await asides.settleAll()
            let (_, own) = try view.versions.entry(found, now: view.client.serverTime, year: view.client.year)
            view.versions.known.noteRoot(hasID: !own.identity.isEmpty)
            let mark = if let read = await beside { try read.get() } else { try await mark(of: own.identity) }
            isReadBeside.withLock { $0 = own.identity.isEmpty }
            return .present(
                identity: WebDAVRemote.rootIdentity(mark: mark),
                generation: Self.generation(found),
                tag: view.versions.directoryTag(of: found))
        } catch {
            let explanation = view.explanation(error)
            return error.reason == .notFound ? .missing(explanation) : .unreachable(explanation)
        }
    }

    /// The fingerprint of a server's data, which the administrator renews after a restore from a backup. It is empty on
    /// a server that was never restored. That empty value gets a token of its own, so that the first fingerprint counts
    /// as a change too.
    private static func generation(_ root: MultistatusResponse) -> Token {
        guard let fingerprint = root.properties[.dataFingerprint] else { return .none }
        let text = Array(fingerprint.text.withoutBlanks())
        return Token(text.isEmpty ? Array("never restored".utf8) : text)
    }

    /// Marks the root if it has no mark; it must be the known one. Returns its identity.
    func mark(knownAs known: Token) async throws(EffectFailure) -> Token {
        do throws(DAVFailure) {
            let found = try await mark()
            guard RootIdentity.mayMark(known: known, found: WebDAVRemote.rootIdentity(mark: found)) else {
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
                // `conditionFailed` means that another installation has just marked it.
                guard error.reason == .conditionFailed else { throw error }
            }
            // A mark that the server does not show would be missed from then on.
            guard let kept = try await self.mark() else { throw DAVFailure(.notFound) }
            return WebDAVRemote.rootIdentity(mark: kept)
        } catch {
            throw view.failure(error, at: .root)
        }
    }

    private func markResult() async -> Result<String?, DAVFailure> {
        do throws(DAVFailure) { return .success(try await mark()) } catch { return .failure(error) }
    }

    /// The mark of the root; nil if it has none. If the root has a lasting ID, the mark is read once for each ID.
    private func mark(of root: Token) async throws(DAVFailure) -> String? {
        if let known = known.withLock({ $0 }), known.of == root { return known.text }
        let found = try await mark()
        if let found, !root.isEmpty { known.withLock { $0 = (found, root) } }
        return found
    }

    /// Reads the mark of the root; nil if it has none. A page in its place tells nothing about the root: a proxy or a
    /// login page answers everything so.
    private func mark() async throws(DAVFailure) -> String? {
        do throws(DAVFailure) {
            let contents = try await view.client.open(ServerArea.mark, expecting: nil, isPaced: false)
            var text: [UInt8] = []
            while text.count <= ServerArea.markLength, let part = try await contents.next() {
                text += Array(buffer: part).prefix(ServerArea.markLength + 1)
            }
            let mark = String(decoding: text, as: UTF8.self)
            if text.count == ServerArea.markLength && mark.allSatisfy(\.isHexDigit) { return mark }
            if text.count > ServerArea.markLength { throw DAVFailure(.malformed) }
            return nil
        } catch {
            // A server may respond with a conflict to a request below a collection that does not exist.
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            return nil
        }
    }
}
