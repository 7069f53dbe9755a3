package import RoundelBus
internal import Support

/// What of a folder is not synced: the patterns, and the items with their reasons.
package struct ExcludesPage: Sendable, Equatable {
    /// A pattern of the folder's own.
    package struct Pattern: Sendable, Equatable {
        /// The pattern, as it is removed.
        package let text: String
        /// The same as it is shown.
        package let shown: String
        /// What it does, in words.
        package let meaning: String
        /// What the button that removes it is called.
        package var removal: String { tr("Remove the pattern {1}", shown) }
    }

    /// An item that is not synced.
    package struct Item: Sendable, Equatable {
        /// The item.
        package let uri: ItemURI
        /// Where it is below the folder.
        package let path: String
        /// Why it is not synced.
        package let reason: String

        /// Everything that the row says, for a screen reader.
        package var spoken: String { TextList.of([path, reason]) }
    }

    /// The folder's own patterns, in the order in which they are tried.
    package let patterns: [Pattern]
    /// The patterns of every folder, in words.
    package let bundled: String
    /// The items that are not synced.
    package let items: [Item]
    /// What is said below them; nil if nothing need be.
    package let remark: String?

    /// - Parameters:
    ///   - items: What is not synced; nil if that is not known.
    ///   - hasMore: Whether there are more.
    package init(
        folder: ItemURI, patterns: [String], bundled: [String], items: [SyncExclusion]?, hasMore: Bool = false
    ) {
        self.patterns = patterns.map { text in
            Pattern(
                text: text, shown: DisplayText.escaped(text),
                meaning: text.hasPrefix("!")
                    ? tr("Yours: what matches is synced all the same") : tr("Yours: what matches is not synced"))
        }
        self.bundled = TextList.of(bundled.map { DisplayText.escaped($0) })
        self.items = (items ?? []).compactMap { item in
            guard let uri = try? ItemURI(item.uri) else { return nil }
            return Item(
                uri: uri, path: DisplayText.escaped(uri.displayPath(below: folder)), reason: ExclusionWords.reason(item)
            )
        }
        remark =
            switch items {
            case nil: tr("What is left out is not known at the moment.")
            case let items? where items.isEmpty: tr("Nothing in this folder is left out.")
            case .some: hasMore ? tr("There are more that are not shown.") : nil
            }
    }
}

/// Why items are synced or not, in words.
package enum ExclusionWords {
    /// Why an item is not synced, without a full stop.
    static func reason(_ item: SyncExclusion) -> String {
        switch item.reason?.known {
        case .pattern:
            item.isBundled
                ? tr("Matches {1}, which no folder syncs", shown(item.pattern))
                : tr("Matches your pattern {1}", shown(item.pattern))
        case .own: tr("Belongs to Roundel itself")
        case .link: tr("Symbolic links are not synced")
        case .special: tr("Devices, sockets and pipes are not synced")
        case nil: tr("Is not synced")
        }
    }

    /// Whether an item is synced, or would be, as a sentence.
    package static func verdict(_ item: SyncExclusion, in folder: ItemURI) -> String {
        guard let uri = try? ItemURI(item.uri) else { return "" }
        let path = DisplayText.escaped(uri.displayPath(below: folder))
        guard item.isExcluded else {
            guard item.pattern != nil else { return tr("“{1}” is synced. No pattern matches it.", path) }
            return tr("“{1}” is synced, because {2} says so.", path, shown(item.pattern))
        }
        if let directory = item.directory.flatMap({ try? ItemURI($0) }) {
            return tr(
                "“{1}” is not synced, because it is in “{2}”. {3}.", path,
                DisplayText.escaped(directory.displayPath(below: folder)), reason(item))
        }
        return tr("“{1}” is not synced. {2}.", path, reason(item))
    }

    private static func shown(_ pattern: String?) -> String { DisplayText.escaped(pattern ?? "") }
}
