internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The notices about one copy: that it is under way, and how it ended (D15).
struct CopyWords {
    /// What is done, as a person sees it.
    enum Kind {
        case copyOut
        case add
        case moveIn
    }

    let number: Int
    let kind: Kind
    /// How many items were chosen.
    let count: Int
    /// The name of the first one.
    let name: String
    /// The name of the folder that is copied out of, or of the directory that is copied or moved into.
    let label: String
    /// The destination, as it is shown to people.
    let destination: String

    /// The notice while it is under way. It changes with each percent.
    func underWay(_ numbers: CopyProgress.Numbers) -> FolderNotice {
        let title =
            switch kind {
            case .copyOut:
                tr(count, one: "Copying “{2}” out of “{3}”", other: "Copying {1} items out of “{3}”", name, label)
            case .add: tr(count, one: "Copying “{2}” to “{3}”", other: "Copying {1} items to “{3}”", name, label)
            case .moveIn: tr(count, one: "Moving “{2}” to “{3}”", other: "Moving {1} items to “{3}”", name, label)
            }
        return FolderNotice(
            id: "copy-\(number)", title: title, text: tr("{1} % is done.", "\(numbers.percent)"), urgency: .low,
            actions: [.init(id: CopyAction.stop(number).id, label: tr("Stop"))]
        ).shortened
    }

    /// The notice at the end; nil if the person has stopped it.
    ///
    /// - Parameter reason: A sentence that says more than the failure does.
    func ended(_ outcome: CopyOutcome, because reason: String? = nil) -> FolderNotice? {
        guard let failure = outcome.failure else { return done(outcome) }
        if failure.reason == .stopped { return nil }
        let title =
            switch kind {
            case .copyOut:
                tr(
                    count, one: "“{2}” could not be copied out of “{3}”",
                    other: "Not all {1} items could be copied out of “{3}”", name, label)
            case .add:
                tr(
                    count, one: "“{2}” could not be copied to “{3}”",
                    other: "Not all {1} items could be copied to “{3}”", name, label)
            case .moveIn:
                tr(
                    count, one: "“{2}” could not be moved to “{3}”",
                    other: "Not all {1} items could be moved to “{3}”", name, label)
            }
        var sentences = [reason ?? sentence(failure)]
        if count > 1 { sentences.append(already(outcome.placed.count)) }
        return notice(title, sentences + remarks(outcome), outcome, .normal)
    }

    private func done(_ outcome: CopyOutcome) -> FolderNotice {
        let title =
            switch kind {
            case .copyOut:
                tr(
                    count, one: "“{2}” was copied out of “{3}”", other: "{1} items were copied out of “{3}”", name,
                    label)
            case .add: tr(count, one: "“{2}” was copied to “{3}”", other: "{1} items were copied to “{3}”", name, label)
            case .moveIn:
                tr(count, one: "“{2}” was moved to “{3}”", other: "{1} items were moved to “{3}”", name, label)
            }
        var sentences: [String] = []
        if count == 1, let placed = outcome.placed.first, "\(placed.name)" != name {
            sentences.append(tr("Its name was taken, so it is “{1}” in {2}.", "\(placed.name)", destination))
        } else if !outcome.placed.isEmpty {
            sentences.append(tr("See {1}", destination))
        }
        return notice(title, sentences + remarks(outcome), outcome, .low)
    }

    private func notice(
        _ title: String, _ sentences: [String], _ outcome: CopyOutcome, _ urgency: FolderNotice.Urgency
    ) -> FolderNotice {
        FolderNotice(
            id: "copied-\(number)", title: title, text: TextList.ofSentences(sentences), urgency: urgency,
            actions: outcome.placed.isEmpty ? [] : [.init(id: CopyAction.show(number).id, label: tr("Show"))]
        ).shortened
    }

    private func already(_ count: Int) -> String {
        switch kind {
        case .copyOut, .add:
            tr(count, one: "1 item was copied before that.", other: "{1} items were copied before that.")
        case .moveIn: tr(count, one: "1 item was moved before that.", other: "{1} items were moved before that.")
        }
    }

    private func remarks(_ outcome: CopyOutcome) -> [String] {
        var sentences: [String] = []
        if outcome.leftOut.count > 0 {
            sentences.append(
                tr(
                    outcome.leftOut.count, one: "“{2}” was left out, because it is not a file or folder.",
                    other: "{1} items were left out, because they are not files or folders: “{2}” and others.",
                    outcome.leftOut.first))
        }
        if let first = outcome.remaining.first {
            sentences.append(
                tr(
                    outcome.remaining.count, one: "The original of “{2}” could not be moved to the trash and stays.",
                    other: "The originals of {1} items could not be moved to the trash and stay: “{2}” and others.",
                    "\(first)"))
        }
        return sentences
    }

    private func sentence(_ failure: CopyFailure) -> String {
        let path = failure.path
        return switch failure.reason {
        case .noSpace: tr("There is not enough space in {1}. Free some, or choose another place.", destination)
        case .readOnly: tr("{1} is read-only. Choose another place.", destination)
        case .unwritable: tr("You may not write in {1}. Choose another place.", destination)
        case .noDestination: tr("{1} cannot be opened. Is it still there?", destination)
        case .unreadable: tr("You may not read or move “{1}”.", path)
        case .gone: tr("“{1}” is no longer there.", path)
        case .changed: tr("“{1}” changed while it was copied. Try again.", path)
        case .away: tr("The contents of “{1}” are not on this computer and could not be downloaded.", path)
        case .intoItself: tr("“{1}” cannot come into itself. Choose another place.", path)
        case .own: tr("“{1}” is Roundel’s own, and is neither copied nor moved.", path)
        case .unmovable:
            tr("“{1}” is or contains a synced folder and is not moved. Copy it, or move what is in it.", path)
        case .keepsContents:
            tr(
                "“{1}” is, or contains, where the contents of a synced folder are kept. Choose the folder itself.", path
            )
        case .unusableName: tr("The name of “{1}” cannot be used in {2}. Rename it.", path, destination)
        case .tooLarge: tr("“{1}” is too large for the file system of {2}.", path, destination)
        case .stopped: tr("It was stopped.")
        case .failed(let error): tr("“{1}” failed: {2}", path, "\(error)")
        }
    }
}
