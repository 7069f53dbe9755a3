package import SyncCore
package import SyncEngine
package import SystemPackage

/// One kind of remote, such as directories or WebDAV servers: how its addresses are written, and what it says. What is
/// done with a remote goes through its ``RemotePlace`` and its ``RemoteConnection``, so that nobody else knows a kind by
/// name.
package protocol RemoteKind: Sendable {
    /// What the kind says in its own terms.
    associatedtype Code: RemoteCode

    /// Starts and reads nothing before a place needs it.
    init(_ surroundings: RemoteSurroundings)

    /// How its addresses look, as a part of a sentence.
    var addressForm: String { get }

    /// Whether a text is meant as an address of this kind, be it right or wrong.
    func isMeant(by address: String) -> Bool

    /// The place with an address.
    func place(_ address: String) throws(RemoteRefusal) -> any RemotePlace

    /// Finds out what is at an address that a person typed; nil for an address that is not for this kind.
    func find(_ address: TypedAddress) async throws(RemoteRefusal) -> FoundRemote?

    /// What may help the user after an address of this kind was refused; nil if there is nothing more to say.
    func advice() async -> Explanation?
}

extension RemoteKind {
    package func find(_ address: TypedAddress) async throws(RemoteRefusal) -> FoundRemote? { nil }

    package func advice() async -> Explanation? { nil }

    /// What a message says, if it is one of this kind's; nil for others.
    ///
    /// - Parameter arguments: Those of the message.
    package static func code(_ code: Explanation.ForeignCode, _ arguments: [String]) -> (any RemoteCode)? {
        if code.domain.isEmpty { return Code.former(code.name, arguments) }
        return code.domain == Code.domain ? Code(rawValue: code.name) : nil
    }

    /// Everything that this kind says in its own terms.
    package static var codes: [any RemoteCode] { Code.allCases.map { $0 } }
}

/// What the kinds of remotes may use of the worker.
package struct RemoteSurroundings: Sendable {
    /// A directory for files of the kinds' own, which may not exist yet.
    package let directory: FilePath
    /// How much free space such files must leave.
    package let floor: FreeSpaceFloor
    /// The saved logins.
    package let logins: any RemoteLogins
    /// The desktop's settings for proxies; nil if nobody is to be asked.
    package let proxies: (any DesktopProxies)?

    package init(
        directory: FilePath, leaving floor: FreeSpaceFloor, logins: any RemoteLogins,
        proxies: (any DesktopProxies)? = nil
    ) {
        (self.directory, self.floor, self.logins, self.proxies) = (directory, floor, logins, proxies)
    }
}
