internal import CGtk4
internal import RoundelBus
internal import Secrets
internal import Support
internal import WindowModel

/// What a person sees of the files that a server needs: rows in which they are chosen, and the passphrase of a key.
@Interface
final class CertificateStep {
    private let title: Label
    private let rows: [CertificateFiles.Part: Widget]
    private let buttons: [CertificateFiles.Part: Button]
    private let passphraseRow: EntryRow
    private var shown = CertificateFiles()
    private let window: Widget
    private let next: Button
    private var chooser: FileChooser?

    /// - Parameters:
    ///   - blueprint: Of the assistant's window.
    ///   - choose: Called with the file that the person chose.
    init(_ blueprint: Blueprint, choose: @escaping @Interface (ItemURI, CertificateFiles.Part) -> Void) {
        (window, next) = (blueprint.widget("window"), blueprint.widget("next"))
        title = blueprint.widget("certificates-title")
        rows = [
            .authority: blueprint.widget("authority"), .certificate: blueprint.widget("certificate"),
            .key: blueprint.widget("key"),
        ]
        passphraseRow = blueprint.widget("passphrase")
        let parts = CertificateFiles.Part.allCases
        buttons = Dictionary(uniqueKeysWithValues: parts.map { ($0, blueprint.widget(Self.button($0))) })
        for (part, button) in buttons { button.onClick { [weak self] in self?.open(part, choose) } }
    }

    private static func button(_ part: CertificateFiles.Part) -> String {
        switch part {
        case .authority: "choose-authority"
        case .certificate: "choose-certificate"
        case .key: "choose-key"
        }
    }

    private static func dialog(_ part: CertificateFiles.Part) -> String {
        switch part {
        case .authority: tr("Certificate Authority")
        case .certificate: tr("Your Certificate")
        case .key: tr("Key of Your Certificate")
        }
    }

    private func open(
        _ part: CertificateFiles.Part, _ choose: @escaping @Interface (ItemURI, CertificateFiles.Part) -> Void
    ) {
        chooser = FileChooser(
            over: window, Self.dialog(part), tr("Choose"), .file
        ) { file in choose(file, part) }
    }

    func show(_ files: CertificateFiles) {
        title.text = files.title
        for (part, row) in rows {
            row.isVisible = files.isShown(part)
            adw_action_row_set_subtitle(row.typed(), files.shown(part))
        }
        passphraseRow.isVisible = files.lack == .passphrase
        let hasChanged = shown != files
        shown = files
        if hasChanged { grabFocus() }
    }

    /// Whether a passphrase was typed.
    var hasPassphrase: Bool { passphraseRow.isVisible && !passphraseRow.isEmpty }

    /// The passphrase that was typed; nil for none.
    var secret: SecretBytes? { passphraseRow.isVisible ? passphraseRow.secret : nil }

    /// Forgets the passphrase that was typed.
    func forgetPassphrase() { passphraseRow.setText("") }

    /// Puts the keyboard where something is to be typed or chosen, and on “Next” once nothing is left.
    func grabFocus() {
        if passphraseRow.isVisible { return passphraseRow.grabFocus() }
        if let part = shown.nextPart { buttons[part]?.grabFocus() } else { next.grabFocus() }
    }
}
