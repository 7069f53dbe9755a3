internal import Dispatch
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// Looks at items on disk on a thread of its own, because a file system that does not answer must not hold the bus up.
///
/// @unchecked: confined to the control loop; the queue only holds the reference, to post it there.
final class ItemLooks: @unchecked Sendable {
    private let control: LoopControl
    private let queue = DispatchQueue(label: "org.roundel.looks")
    private var waiting: [UInt64: (ItemFacts?) -> Void] = [:]
    private var last: UInt64 = 0

    /// Looks that wait at most. Beyond, as behind a file system that does not answer, nothing is known of an item.
    private static let limit = 10_000

    init(control: LoopControl) {
        self.control = control
    }

    /// Calls `answer` later, or at once where too many wait.
    func look(at path: RelativePath, below root: FilePath, _ answer: @escaping (ItemFacts?) -> Void) {
        guard waiting.count < Self.limit else { return answer(nil) }
        last += 1
        let number = last
        waiting[number] = answer
        queue.async { [self] in
            let facts = ItemFacts.read(path, below: root)
            control.post { [self] in waiting.removeValue(forKey: number)?(facts) }
        }
    }
}
