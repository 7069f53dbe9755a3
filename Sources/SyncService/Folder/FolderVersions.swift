internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The versions that the server of a folder keeps of its files. They are asked for when somebody wants to see them, and
/// nothing of them is stored.
struct FolderVersions {
    private let items: FolderItems
    private let versions: any ItemVersions
    private let newFile: NewFile
    private let explainer: Explainer
    private let blocking: BlockingWork

    /// - Parameters:
    ///   - versions: Those of the remote; the result is nil if this is nil.
    ///   - engine: That of the folder, into which versions are restored.
    init?(
        _ items: FolderItems, of versions: (any ItemVersions)?, into engine: SyncFolder, explainer: Explainer,
        blocking: BlockingWork
    ) {
        guard let versions else { return nil }
        (self.items, self.versions, self.explainer, self.blocking) = (items, versions, explainer, blocking)
        newFile = NewFile(in: engine)
    }

    /// The versions of a file besides the current one, the newest first.
    func versions(of item: ItemURI, answer: @escaping (Result<[SyncServerVersion], WorkerError>) -> Void) {
        ask(item, answer) { [versions] _, remote throws(VersionFailure) in
            let asked: Result<[PastVersion], VersionFailure>
            do {
                asked = try await Deadline.run(Patience.Worker.aside) {
                    do throws(VersionFailure) {
                        return .success(try await versions.versions(of: remote))
                    } catch {
                        return .failure(error)
                    }
                }
            } catch {
                throw VersionFailure.silent
            }
            return try asked.get().map { SyncServerVersion($0) }
        }
    }

    /// Restores a version as a new file, beside the one that stands: nothing is replaced, here or on the server.
    func restore(
        _ version: String, of item: ItemURI, answer: @escaping (Result<RelativePath, WorkerError>) -> Void
    ) {
        ask(item, answer) { [versions, newFile] local, remote throws(VersionFailure) in
            let source = try await versions.open(version, of: remote)
            do throws(EffectFailure) {
                return try await newFile.add(source, at: local)
            } catch {
                throw .failed(error)
            }
        }
    }

    private func ask<Value: Sendable>(
        _ item: ItemURI, _ answer: @escaping (Result<Value, WorkerError>) -> Void,
        _ question:
            @escaping @Sendable (_ local: RelativePath, _ remote: RelativePath) async throws(VersionFailure) -> Value
    ) {
        guard let node = items.node(at: item), let local = items.path(of: node),
            let remote = items.remotePlace(of: node), !remote.isDirectory
        else { return answer(.failure(.keepsNoVersions(item))) }
        let isAsked = blocking.ask { () -> Result<Value, VersionFailure> in
            // What is restored is written to a disk, which may keep its thread waiting.
            await withTaskExecutorPreference(WorkThreads(limit: 1)) {
                do throws(VersionFailure) {
                    return .success(try await question(local, remote.path))
                } catch {
                    return .failure(error)
                }
            }
        } answer: { (result: Result<Value, VersionFailure>) in
            answer(result.mapError { error($0, item) })
        }
        if !isAsked { answer(.failure(.tooMuchWaits)) }
    }

    private func error(_ failure: VersionFailure, _ item: ItemURI) -> WorkerError {
        switch failure {
        case .failed(let error): WorkerError(.providerFailed, explainer.sentence(error.message))
        case .silent:
            WorkerError(
                .providerFailed,
                tr("The server does not say in time which versions of “{1}” it has.", ShownPath.short(item.filePath)))
        case .keepsNone: .keepsNoVersions(item)
        case .noSuchVersion:
            WorkerError(
                .notInTrash,
                tr("The server has no such version of “{1}” any more.", ShownPath.short(item.filePath)))
        }
    }
}

extension WorkerError {
    /// An item of which no server keeps versions.
    static func keepsNoVersions(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .unsupported, tr("No server keeps versions of “{1}”.", ShownPath.short(item.filePath)))
    }
}

extension SyncServerVersion {
    fileprivate init(_ version: PastVersion) {
        self.init(id: version.id, time: version.modified.multipliedClamped(by: 1_000_000))
        size = UInt64(clamping: version.size)
        author = version.author
    }
}
