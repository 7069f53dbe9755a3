internal import CGtk4
internal import RoundelBus
internal import Support
internal import WindowModel

/// Where what is done with a row of the dialog goes: rows are made before it is.
@Interface
final class ShareRouter {
    weak var window: SharingWindow?
}

/// The row of a share that there is.
final class ShareRowView: RowView {
    let row: Widget
    private let name: Label
    private let terms: Label
    private let copy: Button
    private let edit: Button
    private let end: Button
    private var share: ShareRow?

    init(_ router: ShareRouter) {
        let blueprint = Blueprint("share-row")
        row = blueprint.widget("row")
        (name, terms) = (blueprint.widget("name"), blueprint.widget("terms"))
        (copy, edit, end) = (blueprint.widget("first"), blueprint.widget("second"), blueprint.widget("third"))
        copy.setLabel(tr("Copy Link"))
        edit.setLabel(tr("Edit…"))
        end.setLabel(tr("End"))
        edit.onClick { [weak self, weak router] in
            if let share = self?.share { router?.window?.edit(share.id) }
        }
        copy.onClick { [weak self, weak router] in
            if let address = self?.share?.address { router?.window?.copy(address) }
        }
        end.onClick { [weak self, weak router] in
            if let share = self?.share { router?.window?.end(share.id) }
        }
    }

    func show(_ share: ShareRow) {
        self.share = share
        name.text = share.whom
        terms.text = share.terms
        copy.isVisible = share.address != nil
        edit.isVisible = share.isEditable
        edit.setAccessibleName(share.editName)
        row.setAccessibleName(share.spoken)
        end.setAccessibleName(share.endName)
    }
}

/// The row of somebody with whom the item can be shared.
final class RecipientRowView: RowView {
    let row: Widget
    private let name: Label
    private let detail: Label
    private let choose: Button
    private var recipient: SyncShareRecipient?

    init(_ router: ShareRouter) {
        let blueprint = Blueprint("share-row")
        row = blueprint.widget("row")
        (name, detail) = (blueprint.widget("name"), blueprint.widget("terms"))
        choose = blueprint.widget("first")
        for other in ["second", "third"] { blueprint.widget(other, as: Button.self).isVisible = false }
        choose.setLabel(tr("Choose"))
        choose.onClick { [weak self, weak router] in
            if let recipient = self?.recipient { router?.window?.choose(recipient) }
        }
    }

    func show(_ recipient: SyncShareRecipient) {
        self.recipient = recipient
        name.text = recipient.kind.known == .group ? tr("{1} (group)", recipient.name) : recipient.name
        detail.show(recipient.detail)
        row.setAccessibleName(name.text)
        choose.setAccessibleName(tr("Choose {1}", name.text))
    }
}
