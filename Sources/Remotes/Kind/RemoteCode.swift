package import SyncCore

/// What a kind of remote says in its own terms, about a folder, an item or an address. The raw values are stored in
/// databases, so they are never reused with another meaning.
package protocol RemoteCode: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// Distinguishes the codes from those of other kinds, in lower-case letters.
    static var domain: String { get }

    /// The code of a message that was stored when codes had no domains; nil if no such message was of this kind.
    static func former(_ name: String, _ arguments: [String]) -> Self?

    /// What can be done about a remote that is away for this reason; nil for a code that does not say so.
    var absence: RemoteAbsence? { get }

    /// The sentence for a person. It names no command: it is read in menus and windows as well as in terminals.
    ///
    /// - Parameter arguments: Those of the message, as they are shown.
    func sentence(_ arguments: [String]) -> String
}

extension RemoteCode {
    package static func former(_ name: String, _ arguments: [String]) -> Self? { nil }

    package var absence: RemoteAbsence? { nil }

    /// The code as a part of a message.
    package var foreign: Explanation.ForeignCode { Explanation.ForeignCode(rawValue, of: Self.domain) }
}

extension Explanation {
    /// Creates a message of a kind of remote with these arguments.
    package init(_ code: some RemoteCode, _ side: Side? = nil, _ arguments: String...) {
        self.init(code, side, arguments)
    }

    /// Creates a message of a kind of remote with these arguments.
    package init(_ code: some RemoteCode, _ side: Side?, _ arguments: [String]) {
        self.init(code.foreign, side, arguments)
    }
}
