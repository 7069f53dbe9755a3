package import RoundelBus
internal import Support

/// The question what to bring back of all that was deleted or replaced since a moment, and what is said at the end.
package struct RestorationChoice: Sendable, Equatable {
    /// A directory of which everything can be brought back.
    package struct Scope: Sendable, Equatable {
        /// The directory.
        package let uri: ItemURI
        /// The words on its button.
        package let label: String
    }

    /// The moment, in microseconds since 1970.
    package let moment: Int64
    /// The directories to choose from, the smallest first.
    package let scopes: [Scope]
    private let time: String

    /// - Parameters:
    ///   - time: The moment in words.
    ///   - directory: The directory of the version from which the person came.
    ///   - folder: The synced folder with it; nil if it is synced no longer.
    init(moment: Int64, time: String, directory: ItemURI?, folder: ItemURI?) {
        (self.moment, self.time) = (moment, time)
        var scopes: [Scope] = []
        if let directory, directory != folder {
            scopes.append(Scope(uri: directory, label: tr("In “{1}”", DisplayText.escaped(directory.displayName))))
        }
        if let folder {
            scopes.append(Scope(uri: folder, label: tr("In All of “{1}”", DisplayText.escaped(folder.displayName))))
        }
        self.scopes = scopes
    }

    /// The question.
    package var heading: String { tr("Restore Everything since {1}?", time) }

    /// What the answers do.
    package var explanation: String {
        tr(
            """
            What was deleted or replaced since then comes back as it was. What is there now stays: where a name is taken, \
            the restored file gets another one.
            """)
    }

    /// What came of it.
    package static func outcome(_ result: SyncRestoration) -> String {
        if result.failed > 0 {
            let first = result.items.first.map { " " + DisplayText.escaped($0.message) } ?? ""
            return tr(
                result.failed, one: "1 item could not be restored.", other: "{1} items could not be restored.") + first
        }
        if let folder = result.unlisted.first.flatMap({ try? ItemURI($0) }) {
            return tr(
                "Not everything of “{1}” came back: one of its sides does not answer.",
                DisplayText.escaped(folder.displayName))
        }
        return result.restored == 0
            ? tr("There is nothing to restore.")
            : tr(result.restored, one: "1 item was restored.", other: "{1} items were restored.")
    }
}
