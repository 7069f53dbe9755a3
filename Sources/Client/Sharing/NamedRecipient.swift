package import RoundelBus

/// The recipient that a person means by a name.
package enum NamedRecipient: Equatable, Sendable {
    case one(SyncShareRecipient)
    /// Several have this name, or names in which it is.
    case several([SyncShareRecipient])
    case nobody

    /// - Parameter found: What a search for the name found.
    package init(_ name: String, in found: [SyncShareRecipient]) {
        let wanted = name.lowercased()
        let exact = found.filter { recipient in
            [recipient.with, recipient.name, recipient.detail].contains { $0.lowercased() == wanted }
        }
        switch (exact.count, found.count) {
        case (1, _): self = .one(exact[0])
        case (0, 1): self = .one(found[0])
        case (0, 0): self = .nobody
        case (0, _): self = .several(found)
        case (_, _): self = .several(exact)
        }
    }
}
