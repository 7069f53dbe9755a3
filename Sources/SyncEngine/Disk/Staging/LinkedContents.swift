import Dispatch
package import SyncCore
import Synchronization

/// A file with several names, in one state: its contents are the same under each name.
package struct LinkedFile: Hashable, Sendable {
    /// The file system that it is on.
    package var device: UInt64
    /// The identity of the file there.
    package var identity: Token
    /// The tag of its contents.
    package var tag: Token
}

/// Where the contents of the other side's multiply linked files are on this side: contents that were transferred under
/// one name are copied locally for the next.
///
/// This is only a hint: whoever copies checks what is there, and contents that are no longer known are transferred
/// again.
final class LinkedContents: Sendable {
    /// Contents that are on this side.
    struct Contents: Sendable {
        enum Place: Sendable {
            case staged(StageID)
            case published(RelativePath, Version)
        }

        var place: Place
        var hash: ContentHash
        var size: Int64
    }

    /// How to get the contents for one of the names.
    enum Turn: Sendable {
        /// They are not here: transfer them, and then call ``end(_:with:)``.
        case transfer
        /// They are being transferred; the group is left when that ends.
        case wait(DispatchGroup)
        case copy(Contents)
    }

    private struct State {
        var known: [LinkedFile: Contents] = [:]
        /// The known files, the oldest first.
        var order: [LinkedFile] = []
        var underWay: [LinkedFile: DispatchGroup] = [:]
        var stages: [StageID: LinkedFile] = [:]
    }

    /// The most files that are remembered.
    private static let limit = 4_096
    private let state = Mutex(State())

    /// How to get the contents for one of the names of a file.
    func begin(_ file: LinkedFile) -> Turn {
        state.withLock { state in
            if let contents = state.known[file] { return .copy(contents) }
            if let group = state.underWay[file] { return .wait(group) }
            let group = DispatchGroup()
            group.enter()
            state.underWay[file] = group
            return .transfer
        }
    }

    /// The transfer that ``begin(_:)`` asked for has ended.
    ///
    /// - Parameter contents: Nil if it failed.
    func end(_ file: LinkedFile, with contents: Contents?) {
        state.withLock { state in
            if let contents {
                state.known[file] = contents
                state.order.append(file)
                if case .staged(let id) = contents.place { state.stages[id] = file }
                if state.order.count > Self.limit { state.known[state.order.removeFirst()] = nil }
            }
            state.underWay.removeValue(forKey: file)?.leave()
        }
    }

    /// Staged contents were placed at a path.
    func published(_ id: StageID, at path: RelativePath, _ version: Version) {
        state.withLock { state in
            guard let file = state.stages.removeValue(forKey: id) else { return }
            state.known[file]?.place = .published(path, version)
        }
    }

    /// Staged contents were discarded.
    func discarded(_ id: StageID) {
        if let file = state.withLock({ $0.stages.removeValue(forKey: id) }) { forget(file) }
    }

    /// The contents are no longer where they were.
    func forget(_ file: LinkedFile) {
        state.withLock { state in
            guard state.known.removeValue(forKey: file) != nil else { return }
            state.order.removeAll { $0 == file }
        }
    }
}
