internal import Client
internal import DBus
internal import RoundelBus
internal import Secrets
internal import Support
internal import WindowModel

/// Answers the questions of a ``Sharing`` over the bus.
struct SharingServices: Sendable {
    let bus: AsyncConnection
    let item: ItemURI

    /// - Parameter secret: The password of a link.
    func answer(_ question: Sharing.Question, secret: SecretBytes?) async -> Sharing.Answer {
        do {
            return try await ask(question, secret: secret)
        } catch {
            return .failed(Sentence.of(error))
        }
    }

    private func ask(_ question: Sharing.Question, secret: SecretBytes?) async throws -> Sharing.Answer {
        try await Engines(bus: bus).ask(ownerOf: item) { (shares: SharesProxy) in
            switch question {
            case .load:
                let rules = try await shares.rules(of: item.uri)
                return .loaded(rules, try await shares.shares(of: item.uri))
            case .search(let text): return .found(try await shares.recipients(text, for: item.uri))
            case .add(let kind, let with, let rights, let until, let hasPassword):
                let pipe = hasPassword ? try SignIn.secretly { secret } : nil
                return .added(
                    try await shares.share(
                        item.uri, kind, with: with, rights: rights, until: until, password: pipe))
            case .change(let share, let rights, let until, let hasPassword, let dropsPassword):
                let pipe = hasPassword ? try SignIn.secretly { secret } : nil
                return .changed(
                    try await shares.change(
                        share, of: item.uri, rights: rights, until: until, password: pipe,
                        dropsPassword: dropsPassword))
            case .end(let share):
                try await shares.end(share, of: item.uri)
                return .ended(share)
            }
        }
    }
}
