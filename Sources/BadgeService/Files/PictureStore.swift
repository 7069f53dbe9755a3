internal import BadgeEngine

/// Saves the pictures of providers for as long as these are there and the service runs.
///
/// A disk that does not respond delays only the answers of those who store pictures.
final class PictureStore {
    private struct Stored {
        var entry: PictureTheme.Entry
        /// The save with which it was written first.
        let save: Int
    }

    private let theme: PictureTheme
    private let saver: StateSaver
    /// By icon name.
    private var stored: [String: Stored] = [:]
    /// The numbers of the latest save, and the answers that wait for each.
    private var begun = 0
    private var held: [(save: Int, answer: (_ problem: String?) -> Void)] = []

    init(theme: PictureTheme, saver: StateSaver) {
        self.theme = theme
        self.saver = saver
    }

    /// Removes what a former run has left, once this is the only service.
    func begin() { save() }

    /// Removes all pictures, because the service ends.
    func end() {
        stored = [:]
        save()
    }

    /// Saves a picture; calls `answer` when it is there, or with the reason why it is not.
    func store(_ picture: Picture, _ answer: @escaping (_ problem: String?) -> Void) {
        let entry = PictureTheme.Entry(directory: picture.directory, file: picture.file, bytes: picture.bytes)
        stored[picture.icon] = Stored(entry: entry, save: begun + 1)
        held.append((begun + 1, answer))
        save()
    }

    /// Removes the pictures with these names.
    func remove(_ icons: [String]) {
        for icon in icons { stored[icon] = nil }
        save()
    }

    private func save() {
        begun += 1
        saver.save(
            "pictures", { [theme, entries = stored.values.map(\.entry)] in theme.replace(with: entries) },
            { [unowned self, begun] problem in end(begun, problem) })
    }

    private func end(_ number: Int, _ problem: String?) {
        if problem == nil {
            for (icon, picture) in stored where picture.save <= number { stored[icon]?.entry.bytes = nil }
        }
        let ready = held.filter { $0.save <= number }
        held.removeAll { $0.save <= number }
        for entry in ready { entry.answer(problem) }
    }
}
