internal import RoundelBus
internal import WindowModel

/// The row of a conflict: both versions side by side, and what to do with them.
final class ConflictRowView: RowView {
    let row: Widget
    private let name: Label
    private let kind: Label
    private let place: Label
    private let versions: [VersionView]
    private let compare: Button
    private let both: Button
    private weak var desk: Desk?
    private var card: ConflictCard?

    init(_ item: ItemURI, _ desk: Desk) {
        let blueprint = Blueprint("conflict-row")
        row = blueprint.widget("row")
        (name, kind, place) = (blueprint.widget("name"), blueprint.widget("kind"), blueprint.widget("place"))
        (compare, both) = (blueprint.widget("compare"), blueprint.widget("both"))
        versions = [VersionView(), VersionView()]
        self.desk = desk
        let box: Box = blueprint.widget("versions")
        for version in versions {
            box.append(version.view)
            version.keep.onClick { [weak self, weak version] in
                if let choice = version?.choice { self?.resolve(as: choice) }
            }
            version.open.onClick { [weak desk, weak version] in version?.item.map { desk?.open($0) } }
        }
        both.onClick { [weak self] in self?.resolve(as: .both) }
        compare.onClick { [weak self] in self.flatMap(\.card).map { self?.desk?.compare($0) } }
    }

    func show(_ card: ConflictCard) {
        self.card = card
        name.text = card.name
        kind.text = card.kind
        place.text = card.place
        row.setAccessibleName(card.spoken)
        both.setAccessibleName(card.name(of: .both))
        compare.isVisible = card.isComparable
        for (view, version) in zip(versions, card.versions) { view.show(version, card) }
    }

    private func resolve(as choice: SyncConflict.Choice) {
        guard let card else { return }
        // A second click while the first is carried out would be a decision on nothing.
        setSensitive(false)
        desk?.resolve(card, as: choice) { [weak self] in self?.setSensitive(true) }
    }

    private func setSensitive(_ isSensitive: Bool) {
        both.isSensitive = isSensitive
        for version in versions { version.keep.isSensitive = isSensitive }
    }
}

/// One version of an item in conflict.
@Interface
final class VersionView {
    let view: Widget
    let keep: Button
    let open: Button
    private(set) var choice: SyncConflict.Choice?
    private(set) var item: ItemURI?
    private let origin: Label
    private let changed: Label
    private let size: Label
    private let picture: Picture

    init() {
        let blueprint = Blueprint("conflict-version")
        view = blueprint.widget("version")
        (keep, open) = (blueprint.widget("keep"), blueprint.widget("open"))
        (origin, changed, size) = (blueprint.widget("origin"), blueprint.widget("changed"), blueprint.widget("size"))
        picture = blueprint.widget("picture")
    }

    func show(_ version: ConflictCard.Version, _ card: ConflictCard) {
        (choice, item) = (version.choice, version.uri)
        origin.text = version.title
        changed.show(version.changed)
        size.show(version.size)
        open.isVisible = version.uri != nil
        keep.setAccessibleName(card.name(of: version.choice))
        open.setAccessibleName(version.openName)
        keep.setClass("suggested-action", version.isNewer)
        picture.show(version.picture)
    }
}
