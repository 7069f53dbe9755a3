package import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Directories of this computer, which may be mounted shares: `/dir` or `file:///dir`.
package struct DirectoryKind: RemoteKind {
    package typealias Code = DirectoryCode

    package init(_ surroundings: RemoteSurroundings) {}

    package var addressForm: String { tr("a directory, /dir or file:///dir") }

    package func isMeant(by address: String) -> Bool { Self.isPath(address) || address.hasPrefix("file:") }

    package func place(_ address: String) throws(RemoteRefusal) -> any RemotePlace {
        if Self.isPath(address) { return DirectoryPlace(FilePath(address)) }
        do {
            return DirectoryPlace(try ItemURI(address).filePath)
        } catch {
            throw RemoteRefusal(.invalid, Explanation(DirectoryCode.noURI, nil, address, error.reason))
        }
    }

    /// A directory that does not exist is found as well: it may be made.
    package func find(_ address: TypedAddress) async throws(RemoteRefusal) -> FoundRemote? {
        guard case .directory(let text) = address else { return nil }
        let place = try place(text)
        let name = place.directory?.lastComponent?.string ?? place.text
        return FoundRemote(.directory, place.text, name: name, path: place.text)
    }

    private static func isPath(_ address: String) -> Bool { address.utf8.first == UInt8(ascii: "/") }
}

/// A directory as the place of a remote.
private struct DirectoryPlace: RemotePlace {
    let path: FilePath

    init(_ path: FilePath) { self.path = path }

    var text: String { "\(path)" }
    var name: String { text }
    var directory: FilePath? { path }
    var needsNetwork: Bool { false }

    func overlaps(_ other: DirectoryPlace) -> Bool { path.starts(with: other.path) || other.path.starts(with: path) }

    /// Finds nothing out: a directory is examined with the user's folder.
    func tryOut() -> RemoteFindings { RemoteFindings() }

    /// Nothing: the worker makes directories of this computer with the user's folder.
    func makeMissing() {}

    func directories(in path: RelativePath, most: Int) async throws(RemoteRefusal) -> FoundDirectories {
        let tree = PlainTree(at: self.path)
        // A disk that does not answer must not block a thread that all tasks share.
        let task = Task(executorPreference: WorkThreads(limit: 1)) { () -> Result<[ListedEntry], EffectFailure> in
            do throws(EffectFailure) { return .success(try tree.list(path)) } catch { return .failure(error) }
        }
        switch await task.value {
        case .success(let entries):
            return FoundDirectories(
                entries.filter { $0.kind == .directory }.map { FoundDirectories.Directory($0.name) }, most: most)
        case .failure(let error):
            throw RemoteRefusal(error.reason == .notFound ? .missing : .failed, error.message)
        }
    }

    func open(for use: RemoteUse) -> RemoteConnection {
        RemoteConnection(DiskEndpoints.remote(at: path, owner: use.owner, leaving: use.floor))
    }
}

/// What is said about the address of a directory. What is said about its items, each side may say.
package enum DirectoryCode: String, RemoteCode {
    /// It is not the URI of a directory. [the address, the reason as a sentence's part]
    case noURI = "no-uri"

    package static var domain: String { "directory" }

    package func sentence(_ arguments: [String]) -> String {
        switch self {
        case .noURI: tr("“{1}” is not the URI of a directory: {2}.", arguments: arguments)
        }
    }
}
