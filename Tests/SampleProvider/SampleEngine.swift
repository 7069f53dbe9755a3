import DBus
import Glibc
import RoundelBus
import Support
import SystemPackage

/// The engine: keeps which items have a star, and forgets it when it ends.
final class SampleEngine: Provider {
    static let busName = "org.roundel.Sample1"
    private static let star = Badge("sample.starred")

    private let folders: [FolderOffer]
    private let bus: Connection
    private var link: ProviderLink?
    private var share: Registration?
    private var service: FolderService?
    private var observed: Set<ItemURI> = []
    private var starred: Set<ItemURI> = []

    /// - Parameter folders: absolute paths.
    init(folders: [String], on bus: Connection) throws {
        self.bus = bus
        self.folders = try folders.map {
            FolderOffer(folder: try ItemURI("file://\($0)"), watch: true, label: "Sample")
        }
    }

    func start() throws {
        let registration = ProviderRegistration(
            object: "/org/roundel/Sample1", id: "sample", name: "Sample", icon: "folder",
            toolbarItem: ToolbarItem(name: "Sample", icon: "folder", tooltip: "A sample engine"),
            services: FolderService.services.merging([ShareService.name: ShareService.path.rawValue]) { $1 })
        let own = folders.map(\.folder)
        share = try bus.export(ShareService.make { item in own.contains { item.isWithin($0) } }, at: ShareService.path)
        service = try FolderService(own, on: bus) { [unowned self] in
            names(in: $0)
        } onPaused: { [unowned self] in
            tellStatus(of: $0)
        }
        let link = try ProviderLink(self, registration: registration, on: bus)
        self.link = link
        link.setBadgeImages([BadgeImage(badge: Self.star, label: "Starred", icon: "emblem-favorite")])
        link.storePicture("star", Array(Self.drawing.utf8)) { [weak self] in self?.starStored($0) }
        link.setFolders(folders)
        for folder in folders { link.setFolderStatus(folder.folder, FolderStatus(state: .idle, text: "No stars")) }
        try link.start()
    }

    func stop() { link?.stop() }

    /// A picture of the engine's own, for which nothing has to be installed.
    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#e5a50a" d="M8 0 10.4 5.4 16 6 11.8 9.8 13 \
        16 8 12.8 3 16 4.2 9.8 0 6 5.6 5.4z"/></svg>
        """

    /// Called after each registration; until then, and where it is refused, the star of the icon theme is shown.
    private func starStored(_ icon: Result<String, DBusError>) {
        switch icon {
        case .success(let icon):
            link?.setBadgeImages([BadgeImage(badge: Self.star, label: "Starred", icon: icon)])
        case .failure(let error): log(.warning, "\(error.message)")
        }
    }

    // MARK: Provider

    func registrationChanged(_ result: Result<Void, DBusError>?) {
        switch result {
        case .success:
            // What changed before the folders were watched was not reported.
            for folder in folders {
                link?.flush(folder.folder) { [weak self] _ in self?.tellEverything(within: folder.folder) }
            }
        case .failure(let error): log(.warning, "\(error.message)")
        case nil: break
        }
    }

    func beginObserving(_ directory: ItemURI) { observed.insert(directory) }

    func endObserving(_ directory: ItemURI) { observed.remove(directory) }

    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        answer(columns(directory, names))
    }

    func requestDirectory(
        _ directory: ItemURI, after: ItemName?, limit: Int, answer: @escaping (BadgeColumns, ItemName?) -> Void
    ) {
        let rest = names(in: directory).filter { name in
            isOwn(directory.appending(name)) && (after.map { $0 < name } ?? true)
        }
        let page = Array(rest.prefix(limit))
        answer(columns(directory, page), rest.count > page.count ? page.last : nil)
    }

    func menu(_ request: MenuRequest, answer: @escaping ([MenuItem]) -> Void) {
        let all = !request.selection.isEmpty && request.selection.allSatisfy(starred.contains)
        answer([
            MenuItem(
                id: "star", label: "Star", icon: "emblem-favorite", checked: all,
                rules: MenuRules(kinds: [MenuKind.items.rawValue], min: 1)),
            MenuItem(
                id: "more", label: "More",
                children: [
                    MenuItem(id: "clear", label: "Remove All Stars", enabled: !starred.isEmpty),
                    MenuItem(id: "fail", label: "Fail"),
                ]),
        ])
    }

    func activate(
        _ item: String, _ request: MenuRequest, finished: @escaping (Result<ActionProduct?, RoundelError>) -> Void
    ) {
        switch item {
        case "star":
            starred.formSymmetricDifference(request.selection)
            tell(Set(request.selection))
        case "clear":
            let before = starred
            starred = []
            tell(before)
        default: return finished(.failure(RoundelError(.providerFailed, "This action always fails.")))
        }
        finished(.success(nil))
    }

    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        guard isOwn(item) else { return answer([:]) }
        answer([
            "state": .string(badge(of: item).identifier),
            "label": .string(starred.contains(item) ? "Starred" : "Synced"),
            "tags": .strings(starred.contains(item) ? ["star"] : []), "progress": .byte(100),
        ])
    }

    func itemsChanged(_ changes: RoundelBus.FolderChanges, accepted: @escaping () -> Void) {
        if changes.overflow { tellEverything(within: changes.folder) }
        for directory in changes.directories where observed.contains(directory) { tellAll(in: directory) }
        tell(Set(changes.items))
        accepted()
    }

    // MARK: Parts

    /// A provider says nothing of what is in none of its folders, whatever it is asked.
    private func isOwn(_ item: ItemURI) -> Bool { folders.contains { item.isWithin($0.folder) } }

    private func badge(of item: ItemURI) -> Badge {
        isOwn(item) ? starred.contains(item) ? Self.star : .synced : .none
    }

    private func columns(_ directory: ItemURI, _ names: [ItemName]) -> BadgeColumns {
        var columns = BadgeColumns()
        for name in names {
            columns.append(name, badge(of: directory.appending(name)), BadgeFlags(rawValue: 0), Progress.none)
        }
        return columns
    }

    /// Changes may be anywhere below the folder: in what is shown there, everything is told again.
    private func tellEverything(within folder: ItemURI) {
        for directory in observed where directory.isWithin(folder) { tellAll(in: directory) }
    }

    private func tellAll(in directory: ItemURI) {
        link?.updateBadges(in: directory, columns(directory, names(in: directory)))
    }

    /// Tells the badges of items in directories that somebody shows, and the number of stars.
    private func tell(_ items: Set<ItemURI>) {
        var changed: [ItemURI: [ItemName]] = [:]
        for item in items.sorted() {
            guard let directory = item.parent, let name = item.name, observed.contains(directory) else { continue }
            changed[directory, default: []].append(name)
        }
        for (directory, names) in changed { link?.updateBadges(in: directory, columns(directory, names)) }
        for folder in folders { tellStatus(of: folder.folder) }
    }

    private func tellStatus(of folder: ItemURI) {
        let count = starred.count { $0.isBelow(folder) }
        let text = count == 0 ? "No stars" : "\(count) stars"
        let state: FolderState = service?.isPaused(folder) == true ? .paused : .idle
        link?.setFolderStatus(folder, FolderStatus(state: state, text: text))
    }

    private func names(in directory: ItemURI) -> [ItemName] {
        guard let stream = opendir(directory.filePath.string) else { return [] }
        defer { closedir(stream) }
        var names: [ItemName] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // The names . and .. are refused here.
            if let name = try? ItemName(bytes: bytes) { names.append(name) }
        }
        return names.sorted()
    }
}
