package import RoundelBus
internal import Support

/// How a person adds a folder: what is at the address that they have, who they are there, which directories they want,
/// and what would be done. Pure: what the person does and what the services answer come in, questions come out.
package struct Addition: Sendable, Equatable {
    /// What the person is asked for.
    package enum Step: Sendable, Equatable, CaseIterable {
        /// Where the files are.
        case address
        /// Files with certificates, without which the server cannot be talked to.
        case certificates
        /// To log in on a page of the server.
        case page
        /// A password.
        case password
        /// The folder on this computer, and which directories it has.
        case choice
        /// Whether all that is to be done.
        case summary
        /// Nothing more: the folder was added.
        case added
    }

    /// What is to be asked of the services. The answer of the question that was asked last counts, and no other.
    package enum Question: Sendable, Equatable {
        case find(String)
        /// Keeps certificates for the server of an address, with the passphrase that the person has typed.
        case setCertificates(address: String, CertificateFiles)
        /// Opens a page of the server, and waits until the person has logged in there.
        case logInOnPage(remote: String)
        /// Tries and saves the password that the person has typed.
        case savePassword(remote: String, user: String)
        case preview(ItemURI, remote: String, FoldersProxy.AddOptions)
        case add(ItemURI, remote: String, FoldersProxy.AddOptions)
    }

    /// What a question was answered.
    package enum Answer: Sendable, Equatable {
        case found(SyncRemote)
        /// The server cannot be talked to before this is given, with a sentence for the person.
        case lacks(CertificateFiles.Lack, String)
        case certificatesKept
        case loggedIn
        /// The server has no page on which people log in.
        case hasNoPage
        case counted(SyncPreview)
        case added
        /// A sentence for the person.
        case failed(String)
    }

    /// What the person is asked for.
    package private(set) var step: Step = .address
    /// Why it did not go on, in a sentence; nil where nothing is wrong.
    package private(set) var problem: String?
    /// What was found at the address; nil before that.
    package private(set) var remote: SyncRemote?
    /// The files with certificates that the server needs.
    package private(set) var certificates = CertificateFiles()
    /// The folder on this computer.
    package private(set) var folder: ItemURI?
    /// The directories to choose from.
    package private(set) var directories = DirectoryChoice()
    /// Whether contents stay on the remote until they are opened.
    package var isOnDemand = false
    /// What would be done; nil before it was counted.
    package private(set) var summary: AdditionSummary?

    private let home: ItemURI
    /// The folder from which the assistant was opened.
    private var proposed: ItemURI?
    private var address = ""
    private var number = 0
    private var isAsking = false
    private var hasLoggedIn = false

    /// - Parameter home: Where new folders are put.
    package init(home: ItemURI) { self.home = home }

    /// Whether an answer is waited for.
    package var isBusy: Bool { isAsking }

    /// Whether the person can go back: once it is asked for, a folder is added, and nothing calls that back.
    package var canGoBack: Bool { step != .added && !(isAsking && step == .summary) }

    /// What there is to wait for, in words; nil for nothing.
    package var work: String? {
        guard isAsking else { return nil }
        return switch step {
        case .address: tr("Looking for your files…")
        case .certificates: tr("Asking the server…")
        case .page: tr("Waiting until you have logged in…")
        case .password: tr("Logging in…")
        case .choice: tr("Counting what is on both sides…")
        case .summary: tr("Adding the folder…")
        case .added: nil
        }
    }

    // MARK: What the person does

    /// Looks for what is at an address.
    package mutating func find(_ text: String) -> (Int, Question)? {
        let text = text.trimmed
        guard !text.isEmpty else {
            problem = tr("Type or paste an address, or choose a directory.")
            return nil
        }
        if text != address { certificates = CertificateFiles() }
        (address, hasLoggedIn, remote) = (text, false, nil)
        return ask(.find(text))
    }

    /// Chooses a file with a certificate or a key.
    package mutating func choose(_ file: ItemURI, as part: CertificateFiles.Part) {
        guard step == .certificates else { return }
        certificates[part] = file
        problem = nil
    }

    /// Has the chosen files kept, and asks the server again.
    ///
    /// - Parameter hasPassphrase: Whether the passphrase of the key was typed.
    package mutating func giveCertificates(hasPassphrase: Bool) -> (Int, Question)? {
        guard step == .certificates else { return nil }
        if let missing = certificates.missing(hasPassphrase: hasPassphrase) {
            problem = missing
            return nil
        }
        return ask(.setCertificates(address: address, certificates))
    }

    /// Logs in with the password that was typed.
    package mutating func logIn(user: String, hasPassword: Bool) -> (Int, Question)? {
        guard let remote, step == .password else { return nil }
        let user = remote.user ?? user.trimmed
        guard !user.isEmpty, hasPassword else {
            problem = tr("Type your user name and your password.")
            return nil
        }
        return ask(.savePassword(remote: remote.remote, user: user))
    }

    /// Opens the server's page once more.
    package mutating func openPage() -> (Int, Question)? {
        guard let remote, step == .page else { return nil }
        return ask(.logInOnPage(remote: remote.remote))
    }

    /// Logs in with a password rather than on the server's page.
    package mutating func usePassword() {
        guard step == .page else { return }
        stopAsking()
        step = .password
    }

    /// Proposes this folder on this computer rather than one of the remote's name.
    package mutating func use(_ folder: ItemURI) { proposed = folder }

    /// Uses another folder on this computer.
    package mutating func choose(_ folder: ItemURI) {
        self.folder = folder
        problem = nil
    }

    /// Chooses directories, or opens them to see what is in them.
    package mutating func changeDirectories(_ change: (inout DirectoryChoice) -> Void) {
        change(&directories)
        problem = nil
    }

    /// Goes on with what was chosen.
    package mutating func goOn() -> (Int, Question)? {
        guard let remote, let folder else { return nil }
        switch step {
        case .choice:
            guard directories.hasAny else {
                problem = tr("Choose at least one directory.")
                return nil
            }
            return ask(.preview(folder, remote: remote.remote, options))
        case .summary: return ask(.add(folder, remote: remote.remote, options))
        case .address, .certificates, .page, .password, .added: return nil
        }
    }

    /// Goes one step back; a question that is open is not waited for any more.
    /// - Returns: False where there is nothing before.
    package mutating func goBack() -> Bool {
        guard canGoBack else { return true }
        if isAsking, step == .choice || step == .address {
            stopAsking()
            return true
        }
        stopAsking()
        switch step {
        case .address, .added: return false
        case .certificates, .page, .password, .choice: step = .address
        case .summary: step = .choice
        }
        return true
    }

    // MARK: What the services answer

    /// The answer to a question.
    /// - Returns: The next question.
    package mutating func answered(_ number: Int, _ answer: Answer) -> (Int, Question)? {
        guard isAsking, number == self.number else { return nil }
        stopAsking()
        switch answer {
        case .found(let remote): return found(remote)
        case .loggedIn:
            hasLoggedIn = true
            // Only now it is known whose files these are.
            return ask(.find(address))
        case .lacks(let lack, let sentence):
            certificates.lack = lack
            (step, problem) = (.certificates, sentence)
        case .certificatesKept: return ask(.find(address))
        case .hasNoPage: step = .password
        case .counted(let preview):
            summary = AdditionSummary(preview, of: remote?.name ?? "", isOnDemand: isOnDemand)
            step = .summary
        case .added: step = .added
        case .failed(let sentence): problem = sentence
        }
        return nil
    }

    private mutating func found(_ remote: SyncRemote) -> (Int, Question)? {
        self.remote = remote
        switch remote.login.known {
        case .page? where !hasLoggedIn:
            step = .page
            return ask(.logInOnPage(remote: remote.remote))
        case .page?, .password?:
            if hasLoggedIn { problem = tr("The server does not accept this login.") }
            step = .password
        case SyncRemote.Login.none?, nil:
            step = .choice
            directories = DirectoryChoice()
            folder = proposed ?? suggestedFolder(remote.name)
        }
        return nil
    }

    /// A folder of that name in the person's home.
    private func suggestedFolder(_ name: String) -> ItemURI {
        let name = name.replacing("/", with: "-").trimmed
        let usual = tr("Synced Files")
        let wanted = name.isEmpty || name.hasPrefix(".") ? usual : name
        let encoded = [wanted, usual].map { PercentCoding.encode(segment: Array($0.utf8)) }
        return encoded.lazy.compactMap { try? ItemName($0) }.first.map { home.appending($0) } ?? home
    }

    private var options: FoldersProxy.AddOptions {
        var options = FoldersProxy.AddOptions()
        options.creates = true
        options.isOnDemand = isOnDemand
        options.only = directories.only
        return options
    }

    private mutating func ask(_ question: Question) -> (Int, Question) {
        problem = nil
        isAsking = true
        number += 1
        return (number, question)
    }

    private mutating func stopAsking() {
        isAsking = false
        problem = nil
    }
}
