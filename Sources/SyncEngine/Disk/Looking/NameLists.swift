import SyncCore
import Synchronization
import SystemPackage

/// The names in directories that are being listed in pages, kept between pages: reading all names again for each page
/// would take quadratic time. This is only a cache: a missing list is read again.
final class NameLists: Sendable {
    /// Names ordered by their bytes, stored one after the other.
    private struct List: Sendable {
        var path: RelativePath
        var status: FileStatus
        var bytes: [UInt8] = []
        /// The end of each name in `bytes`.
        var ends: [Int] = []

        subscript(index: Int) -> EntryName? {
            EntryName(Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]))
        }

        /// The index of the first name after this one.
        func index(after name: EntryName) -> Int {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if let found = self[middle], found <= name { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The most lists that are kept.
    private static let limit = 32
    private let lists = Mutex<[List]>([])

    /// Drops all lists.
    func removeAll() { lists.withLock { $0 = [] } }

    /// The next names in a directory.
    ///
    /// - Parameters:
    ///   - status: The status of the directory.
    ///   - after: The last name of the previous page; nil for the first page, for which the names are read.
    /// - Returns: At most `limit` names, and whether there are more.
    func names(
        of directory: DirectoryHandle, at path: RelativePath, _ status: FileStatus, after: EntryName?, limit: Int
    ) throws(Errno) -> (next: [EntryName], hasMore: Bool) {
        let kept = lists.withLock { lists -> List? in
            guard let index = lists.firstIndex(where: { $0.path == path }) else { return nil }
            let list = lists.remove(at: index)
            return after != nil && list.status.isSameItem(as: status) && list.status.device == status.device
                ? list : nil
        }
        var list: List
        if let kept {
            list = kept
        } else {
            let names = try directory.names()
            if names.count <= limit && after == nil { return (names, false) }
            list = List(path: path, status: status)
            for name in names {
                list.bytes += name.bytes
                list.ends.append(list.bytes.count)
            }
        }
        let start = after.map { list.index(after: $0) } ?? 0
        let end = min(start + limit, list.ends.count)
        let next = (start..<end).compactMap { list[$0] }
        let hasMore = end < list.ends.count
        if hasMore { keep(list) }
        return (next, hasMore)
    }

    private func keep(_ list: List) {
        lists.withLock { lists in
            if lists.count >= Self.limit { lists.removeFirst() }
            lists.append(list)
        }
    }
}
