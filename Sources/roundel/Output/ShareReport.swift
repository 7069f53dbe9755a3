import RoundelBus
import Support

extension SyncShare.Rights: LabelledWord {
    var label: String {
        switch self {
        // Translators: what others may do with a shared item; in a narrow column.
        case .view: tr("view")
        // Translators: what others may do with a shared item; in a narrow column.
        case .edit: tr("edit")
        // Translators: what others may do with a shared directory; in a narrow column.
        case .upload: tr("upload")
        // Translators: what others may do with a shared item, which fits no word; in a narrow column.
        case .other: tr("other")
        }
    }
}

extension SyncShare {
    /// One line of a list of shares.
    fileprivate func cells(on terminal: Terminal) -> [Table.Cell] {
        let end = until.map { tr("until {1}", $0) } ?? tr("without an end")
        let whom: String =
            switch kind.known {
            case .link?: address ?? tr("a link")
            case .group?: tr("{1} (group)", name ?? with ?? "")
            case .user?, .other?, nil: name ?? with ?? kind.text
            }
        return [
            Table.Cell(id, .dim), Table.Cell(rights.text(on: terminal)), Table.Cell(end),
            Table.Cell(hasPassword ? tr("password") : "", .dim), Table.Cell(whom),
        ]
    }

    static func lines(_ shares: [SyncShare], on terminal: Terminal) -> [String] {
        var table = Table([.left, .left, .left, .left, .left], flexible: 4)
        for share in shares { table.append(share.cells(on: terminal)) }
        return table.lines(on: terminal)
    }
}
