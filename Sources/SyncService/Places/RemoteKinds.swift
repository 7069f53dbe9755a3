internal import Directory
internal import Rclone
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import WebDAV

/// The kinds of remotes that there are.
struct RemoteKinds {
    /// A new kind is a line here.
    private static let types: [any RemoteKind.Type] = [DirectoryKind.self, WebDAVKind.self, RcloneKind.self]

    private let kinds: [any RemoteKind]

    init(_ surroundings: RemoteSurroundings) { kinds = Self.types.map { $0.init(surroundings) } }

    // MARK: Addresses

    /// The place with an address, as the user enters it.
    /// - Throws: `InvalidRemote`.
    func place(_ address: String) throws(WorkerError) -> any RemotePlace {
        guard let kind = kind(meantBy: address) else { throw .noRemote(address, but: kinds.map(\.addressForm)) }
        do throws(RemoteRefusal) { return try kind.place(address) } catch { throw WorkerError(error) }
    }

    /// The place with an address at which people log in.
    /// - Throws: `InvalidRemote`.
    func loginPlace(_ address: String) throws(WorkerError) -> any LoginPlace {
        let kinds = kinds.compactMap { $0 as? any LoginKind }
        // The first one says what such an address is.
        guard let kind = kinds.first(where: { $0.isMeant(by: address) }) ?? kinds.first else {
            throw .noRemote(address, but: [])
        }
        do throws(RemoteRefusal) { return try kind.loginPlace(address) } catch { throw WorkerError(error) }
    }

    /// The kind that an address is meant for, be it right or wrong; nil if there is none.
    func kind(meantBy address: String) -> (any RemoteKind)? { kinds.first { $0.isMeant(by: address) } }

    /// What is at an address that a person typed.
    func find(_ address: TypedAddress) async -> Result<FoundRemote, RemoteRefusal> {
        do throws(RemoteRefusal) {
            for kind in kinds { if let found = try await kind.find(address) { return .success(found) } }
            return .failure(RemoteRefusal(.invalid, Explanation(.text, nil, Self.notFound(address))))
        } catch {
            return .failure(error)
        }
    }

    /// Why no kind is asked about an address, in a sentence.
    private static func notFound(_ address: TypedAddress) -> String {
        guard case .foreign(let scheme) = address else {
            return tr(
                """
                This is no address that a folder can sync with. Give that of a server, as it is in your browser, or a \
                directory.
                """)
        }
        return tr(
            """
            Roundel does not reach {1}:// itself. Mount it, for example in your file manager, and give the directory \
            where it is mounted; or make a remote of it in rclone.
            """, String(scheme.prefix(32)))
    }

    // MARK: Words

    /// What a message of a kind says; nil for other messages, and for those of kinds that this version does not know.
    static func code(of message: Explanation) -> (any RemoteCode)? {
        guard let code = message.foreignCode else { return nil }
        return types.lazy.compactMap { $0.code(code, message.arguments) }.first
    }

    /// Everything that the kinds say in their own terms.
    static var codes: [any RemoteCode] { types.flatMap { $0.codes } }
}

extension WorkerError {
    /// - Parameter label: The display name of the folder that was to be synced.
    init(_ refusal: RemoteRefusal, folder label: String = "") {
        let code: Code =
            switch refusal.reason {
            case .invalid, .missing: .invalidRemote
            case .unsupported: .unsupportedRemote
            case .loginNeeded: .loginNeeded
            case .untrusted: .untrustedServer
            case .certificateNeeded: .certificateNeeded
            case .failed: .failed
            }
        let explainer = Explainer(folder: label)
        let sentences = [refusal.message, refusal.advice].compactMap { $0.map(explainer.sentence) }
        self.init(code, TextList.ofSentences(sentences))
    }

    /// - Parameter forms: How the addresses of the kinds of remotes look.
    fileprivate static func noRemote(_ text: String, but forms: [String]) -> WorkerError {
        WorkerError(.invalidRemote, tr("“{1}” is not a remote; use {2}.", text, forms.joined(separator: tr(", or "))))
    }
}

extension RemotePlace {
    /// A URI that programs can open; nil if the place has none.
    var uri: String? { directory.flatMap { try? ItemURI(path: $0) }?.uri }
}
