/// The widgets of one row of a list.
@Interface
protocol RowView: AnyObject {
    /// What it shows.
    associatedtype Content: Equatable
    /// The row.
    var row: Widget { get }
    /// Shows other contents.
    func show(_ content: Content)
}

/// The rows of a list. An update touches only what changed, so that the focus, an open menu and the place to which the
/// user scrolled stay as they are.
@Interface
final class RowList<Key: Hashable, View: RowView> {
    private struct Row {
        let key: Key
        var content: View.Content
        let view: View
    }

    private let list: ListBox
    private let make: @Interface (Key) -> View
    private var rows: [Row] = []

    /// - Parameter make: Makes the widgets of a row, which are shown once for all and then filled.
    init(_ list: ListBox, _ make: @escaping @Interface (Key) -> View) { (self.list, self.make) = (list, make) }

    /// Shows these rows in this order.
    func update(_ contents: [(key: Key, content: View.Content)]) {
        let wanted = Set(contents.map(\.key))
        for index in rows.indices.reversed() where !wanted.contains(rows[index].key) { remove(index) }
        for (index, (key, content)) in contents.enumerated() {
            if index < rows.count, rows[index].key == key {
                guard rows[index].content != content else { continue }
                rows[index].content = content
                rows[index].view.show(content)
                continue
            }
            if let later = rows.dropFirst(index).firstIndex(where: { $0.key == key }) { remove(later) }
            let view = make(key)
            view.show(content)
            list.insert(view.row, at: index)
            rows.insert(Row(key: key, content: content, view: view), at: index)
        }
    }

    /// The widgets of a row; nil if there is no such row.
    func view(_ key: Key) -> View? { rows.first { $0.key == key }?.view }

    private func remove(_ index: Int) { list.remove(rows.remove(at: index).view.row) }
}
