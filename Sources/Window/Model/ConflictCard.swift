package import Client
package import RoundelBus
internal import Support

/// A conflict with its two versions side by side.
package struct ConflictCard: Sendable, Equatable {
    /// One of the versions.
    package struct Version: Sendable, Equatable {
        /// The choice that keeps it.
        package let choice: SyncConflict.Choice
        /// Where it comes from.
        package let origin: String
        /// The path at which it is now; nil if it has none of its own.
        package let uri: ItemURI?
        /// When it was changed, and by whom; nil if that is not known.
        package let changed: String?
        /// Its size; nil if that is not known.
        package let size: String?
        /// Whether it is the one that was changed last.
        package let isNewer: Bool

        /// Where it comes from, and whether it is the newer one.
        package var title: String { isNewer ? tr("{1} (newer)", origin) : origin }
        /// What the button that opens it is called, for a screen reader.
        package var openName: String { tr("Open the version: {1}", origin) }

        /// The picture that it is, by its name; nil if it is none.
        package var picture: ItemURI? {
            let suffix = (uri?.displayName ?? "").split(separator: ".").last?.lowercased() ?? ""
            return ["bmp", "gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"].contains(suffix) ? uri : nil
        }
    }

    /// The item whose name both want.
    package let uri: ItemURI
    /// Its name.
    package let name: String
    /// The folder that it is in, and where in it.
    package let place: String
    /// What kind of conflict it is, in words.
    package let kind: String
    /// The version of this computer, then that of the remote.
    package let versions: [Version]

    /// Everything that the card says before its versions, for a screen reader.
    package var spoken: String { TextList.of([name, kind, place]) }

    /// Whether the versions may be compared as text: both are files that are no pictures.
    package var isComparable: Bool {
        kind == Self.edited && versions.allSatisfy { $0.uri != nil && $0.picture == nil }
    }

    /// What a choice for this item is called, for a screen reader.
    package func name(of choice: SyncConflict.Choice) -> String {
        switch choice {
        case .mine: tr("Keep this computer's version of {1}", name)
        case .theirs: tr("Keep the remote's version of {1}", name)
        case .both: tr("Keep both versions of {1}", name)
        }
    }

    private static func author(of conflict: SyncConflict) -> String? {
        conflict.author.map { conflict.isOwnAuthor ? tr("by you") : tr("by {1}", DisplayText.escaped($0)) }
    }

    private static var edited: String { tr("Changed on this computer and on the remote") }

    /// The card of a conflict; nil if its URI is not one of an item.
    package init?(_ conflict: SyncConflict, in report: StatusReport, now: Int64) {
        guard let uri = try? ItemURI(conflict.uri) else { return nil }
        self.uri = uri
        name = DisplayText.escaped(uri.displayName)
        place = Place.inFolder(uri, report)
        kind =
            switch conflict.kind.known {
            case .edits: Self.edited
            case .type: tr("A file on one side, a folder on the other")
            case nil: tr("Different on this computer and on the remote")
            }
        func version(
            _ choice: SyncConflict.Choice, _ origin: String, by author: String? = nil, _ text: String, _ size: UInt64?,
            _ changed: Int64?, other: Int64?
        ) -> Version {
            let place = try? ItemURI(text)
            let words = [changed.map { tr("Changed {1}", Moment.past($0, now: now)) }, author].compactMap(\.self)
            return Version(
                choice: choice, origin: origin, uri: place,
                changed: words.isEmpty ? nil : TextList.of(words), size: size.map(Quantity.bytes),
                isNewer: changed.map { $0 > other ?? .max } ?? false)
        }
        versions = [
            version(
                .mine, tr("This Computer"), conflict.copyURI, conflict.copySize, conflict.copyModified,
                other: conflict.modified),
            version(
                .theirs, tr("Remote"), by: Self.author(of: conflict), conflict.uri, conflict.size, conflict.modified,
                other: conflict.copyModified),
        ]
    }
}
