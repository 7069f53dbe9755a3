internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore

/// What is said about a share that is not made, listed or ended.
struct ShareWords {
    private let path: String
    private let explainer: Explainer

    init(_ item: ItemURI, _ explainer: Explainer) {
        path = ShownPath.short(item.filePath)
        self.explainer = explainer
    }

    func error(_ failure: SharingFailure) -> WorkerError {
        switch failure {
        case .failed(let error): WorkerError(.providerFailed, explainer.sentence(error.message))
        case .refused(let reason):
            WorkerError(
                .providerFailed,
                reason.map { tr("The server does not share “{1}”. It says: {2}", path, $0) }
                    ?? tr("The server does not share “{1}”.", path))
        case .obstacle(let obstacle): WorkerError(.unsupported, sentence(obstacle))
        case .sharedAlready(let name):
            WorkerError(
                .failed,
                tr("“{1}” is shared with {2} already, in another way. End that share first.", path, name))
        case .noSuchShare: WorkerError(.failed, tr("“{1}” has no such share any more.", path))
        case .wrongShare(let isTakenBack):
            WorkerError(
                .providerFailed,
                isTakenBack
                    ? tr(
                        "The server shared “{1}” in another way than you wanted. It was ended again, and nothing is shared.",
                        path)
                    : tr(
                        """
                        The server shared “{1}” in another way than you wanted, and the share is still there. Look at \
                        your shares on the server's page, and end it there if you did not mean it.
                        """, path))
        }
    }

    private func sentence(_ obstacle: ShareObstacle) -> String {
        switch obstacle {
        case .noSuchKind(.link): tr("The server makes no links to “{1}”.", path)
        case .noSuchKind(.user): tr("The server does not share “{1}” with people.", path)
        case .noSuchKind(.group): tr("The server does not share “{1}” with groups.", path)
        case .noSuchRights(.view, _): tr("The server does not let others see “{1}”.", path)
        case .noSuchRights(.edit, .link): tr("The server does not let others edit “{1}” by a link.", path)
        case .noSuchRights(.edit, .user), .noSuchRights(.edit, .group):
            tr("The server does not let others edit “{1}”.", path)
        case .noSuchRights(.upload, _):
            tr(
                "Others can only upload to a directory, by a link, and where the server lets them. “{1}” is not shared.",
                path)
        case .wrongRecipient(.link): tr("A link is for whoever has it, not for one person. “{1}” is not shared.", path)
        case .wrongRecipient(.user), .wrongRecipient(.group):
            tr("It is not said with whom “{1}” is to be shared.", path)
        case .ended: tr("The day on which the share of “{1}” would end is past.", path)
        case .tooLong(let days, let last):
            tr(
                Int(clamping: days),
                one: "The server lets shares of “{2}” work for 1 day at most, until {3}. Choose an earlier day.",
                other: "The server lets shares of “{2}” work for {1} days at most, until {3}. Choose an earlier day.",
                path, last.text)
        case .passwordNeeded: tr("The server demands a password for links. “{1}” is not shared without one.", path)
        case .passwordUnused: tr("Only links have passwords. “{1}” is not shared.", path)
        case .foreignShare:
            tr("This share of “{1}” was made elsewhere. Change it on the server's page.", path)
        case .passwordTooShort(let least):
            tr(
                Int(clamping: least),
                one: "The server demands a password with at least 1 character. “{2}” is not shared.",
                other: "The server demands a password with at least {1} characters. “{2}” is not shared.", path)
        }
    }
}
