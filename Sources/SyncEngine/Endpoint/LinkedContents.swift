import Dispatch
package import SyncCore
import Synchronization

/// A file with several names, in one state: under whichever of them it is read, its contents are the same.
package struct LinkedFile: Hashable, Sendable {
    /// Which file system it is on.
    package var device: UInt64
    /// Which file it is there.
    package var identity: Token
    /// Which contents it has.
    package var tag: Token
}

/// Where on this side the contents of the other side's files with several names are: what was transferred under one name
/// is copied here for the next.
///
/// Only a hint: whoever copies checks what stands there, and what is not known any more is transferred once more.
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

    /// What is to be done for one of the names.
    enum Turn: Sendable {
        /// They are not here: they are to be transferred, and ``end(_:with:)`` is to be called.
        case transfer
        /// They are being transferred; the group is left when that has ended.
        case wait(DispatchGroup)
        case copy(Contents)
    }

    private struct State {
        var known: [LinkedFile: Contents] = [:]
        /// What is known, the oldest first.
        var order: [LinkedFile] = []
        var underWay: [LinkedFile: DispatchGroup] = [:]
        var stages: [StageID: LinkedFile] = [:]
    }

    /// Files that are known at most.
    private static let limit = 4_096
    private let state = Mutex(State())

    /// What is to be done for one of the names of a file.
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

    /// Staged contents stand at a place now.
    func published(_ id: StageID, at path: RelativePath, _ version: Version) {
        state.withLock { state in
            guard let file = state.stages.removeValue(forKey: id) else { return }
            state.known[file]?.place = .published(path, version)
        }
    }

    /// Staged contents are given up.
    func discarded(_ id: StageID) {
        if let file = state.withLock({ $0.stages.removeValue(forKey: id) }) { forget(file) }
    }

    /// The contents are not where they were.
    func forget(_ file: LinkedFile) {
        state.withLock { state in
            guard state.known.removeValue(forKey: file) != nil else { return }
            state.order.removeAll { $0 == file }
        }
    }
}
