import RoundelBus
import Secrets
import Testing

@testable import WindowModel

/// How a person adds a folder, step by step.
@Suite struct AdditionTests {
    private let home: ItemURI
    private var addition: Addition

    init() throws {
        home = try ItemURI("file:///home/p")
        addition = Addition(home: home)
    }

    private static func cloud(
        _ login: SyncRemote.Login, isProvisional: Bool = false, user: String? = nil
    ) -> SyncRemote {
        var remote = SyncRemote(kind: WireWord(.nextcloud), remote: "webdav+https://cloud.example.org/dav")
        remote.name = "cloud.example.org"
        remote.login = WireWord(login)
        remote.isProvisional = isProvisional
        remote.user = user
        return remote
    }

    /// Does something that has to ask this.
    private mutating func asks(
        _ expected: Addition.Question, _ act: (inout Addition) -> (Int, Addition.Question)?
    ) throws -> Int {
        let (number, question) = try #require(act(&addition))
        #expect(question == expected)
        #expect(addition.isBusy && addition.work != nil && addition.problem == nil)
        return number
    }

    /// Gives an answer after which nothing else is asked.
    private mutating func settles(_ number: Int, _ answer: Addition.Answer) {
        let next = addition.answered(number, answer)
        #expect(next == nil)
    }

    /// Does something that asks nothing, and says why.
    private mutating func refuses(_ act: (inout Addition) -> (Int, Addition.Question)?) {
        let question = act(&addition)
        #expect(question == nil && addition.problem != nil)
    }

    private mutating func finds(_ remote: SyncRemote) throws {
        let number = try asks(.find("cloud.example.org")) { $0.find(" cloud.example.org\n") }
        let next = addition.answered(number, .found(remote))
        #expect(next == nil || remote.login.known == .page)
    }

    @Test("An address of a cloud, a login on its page, chosen directories, numbers, and it is added")
    mutating func whole() throws {
        let cloud = Self.cloud(.page, isProvisional: true)
        var number = try asks(.find("cloud.example.org")) { $0.find("cloud.example.org") }
        number = try asks(.logInOnPage(remote: cloud.remote)) { $0.answered(number, .found(cloud)) }
        #expect(addition.step == .page)
        // Whose files these are is known only now.
        number = try asks(.find("cloud.example.org")) { $0.answered(number, .loggedIn) }
        settles(number, .found(Self.cloud(.none, user: "ada")))
        #expect(addition.step == .choice && addition.folder?.uri == "file:///home/p/cloud.example.org")

        addition.changeDirectories { choice in
            let isListed = choice.begin()
            #expect(isListed)
            choice.listed("", ["Photos", "Work"].map { .init(name: $0, path: $0) }, hasMore: false)
            choice.isLimited = true
        }
        refuses { $0.goOn() }
        addition.changeDirectories { $0.choose("Photos", true) }
        let folder = try #require(addition.folder)
        var options = FoldersProxy.AddOptions()
        (options.creates, options.only) = (true, ["Photos"])
        number = try asks(.preview(folder, remote: cloud.remote, options)) { $0.goOn() }
        var preview = SyncPreview()
        (preview.downloads, preview.downloadBytes) = (2, 1_000)
        settles(number, .counted(preview))
        #expect(addition.step == .summary)
        #expect(addition.summary?.sentences.first == "2 files (1.0 kB) are downloaded to this computer.")
        number = try asks(.add(folder, remote: cloud.remote, options)) { $0.goOn() }
        // It cannot be called back any more, so that nobody may believe it was.
        let stays = addition.goBack()
        #expect(stays && !addition.canGoBack && addition.isBusy)
        settles(number, .added)
        #expect(addition.step == .added && !addition.isBusy)
    }

    @Test("A server without a page asks for a password, which needs a user; a refused one is said")
    mutating func password() throws {
        let cloud = Self.cloud(.password)
        try finds(cloud)
        #expect(addition.step == .password)
        refuses { $0.logIn(user: " ", hasPassword: true) }
        refuses { $0.logIn(user: "ada", hasPassword: false) }
        var number = try asks(.savePassword(remote: cloud.remote, user: "ada")) {
            $0.logIn(user: " ada ", hasPassword: true)
        }
        settles(number, .failed("It is wrong."))
        #expect(addition.step == .password && addition.problem == "It is wrong.")
        number = try asks(.savePassword(remote: cloud.remote, user: "ada")) { $0.logIn(user: "ada", hasPassword: true) }
        number = try asks(.find("cloud.example.org")) { $0.answered(number, .loggedIn) }
        // It says that it was saved, and wants one again: no circle.
        settles(number, .found(cloud))
        #expect(addition.step == .password && addition.problem != nil)
    }

    @Test("Who goes back is not led on by a late answer")
    mutating func late() throws {
        let number = try asks(.find("cloud.example.org")) { $0.find("cloud.example.org") }
        let goesBack = addition.goBack()
        #expect(goesBack && !addition.isBusy)
        settles(number, .found(Self.cloud(.none)))
        #expect(addition.step == .address)
        let second = try asks(.find("other.example.org")) { $0.find("other.example.org") }
        settles(number, .failed("too late"))
        #expect(addition.isBusy && addition.problem == nil)
        settles(second, .found(Self.cloud(.none)))
        #expect(addition.step == .choice)
        let again = addition.goBack()
        #expect(again && addition.step == .address)
        let closes = !addition.goBack()
        #expect(closes)
    }

    @Test("The page can be left for a password, and where there is none a password is asked for")
    mutating func noPage() throws {
        let cloud = Self.cloud(.page)
        try finds(cloud)
        addition.usePassword()
        #expect(addition.step == .password && !addition.isBusy)
        var other = Addition(home: home)
        let found = other.find("cloud.example.org")
        let opened = other.answered(try #require(found).0, .found(cloud))
        let next = other.answered(try #require(opened).0, .hasNoPage)
        #expect(next == nil)
        #expect(other.step == .password)
    }

    @Test("Nothing typed, and a name that is no name of a folder", arguments: ["", "..", ".hidden", "a/b", "x\u{0}"])
    mutating func names(name: String) throws {
        refuses { $0.find("  ") }
        var cloud = Self.cloud(.none)
        cloud.name = name
        try finds(cloud)
        let folder = try #require(addition.folder)
        #expect(folder.parent == home)
        #expect(folder.displayName == (name == "a/b" ? "a-b" : "Synced Files"))
    }

    // MARK: Certificates

    private func file(_ name: String) throws -> ItemURI { try ItemURI("file:///home/p/keys/\(name)") }

    /// The server lacks something, which is asked for in this order.
    private mutating func lacks(_ lack: CertificateFiles.Lack, _ number: Int) {
        settles(number, .lacks(lack, "Because."))
        #expect(addition.step == .certificates && addition.certificates.lack == lack)
        #expect(addition.problem == "Because." && !addition.isBusy && !addition.certificates.title.isEmpty)
    }

    /// Gives what was chosen, and comes back to what is at the address.
    private mutating func gives(hasPassphrase: Bool = false) throws -> Int {
        var files = CertificateFiles()
        for part in CertificateFiles.Part.allCases { files[part] = addition.certificates[part] }
        files.lack = addition.certificates.lack
        let number = try asks(.setCertificates(address: "cloud.example.org", files)) {
            $0.giveCertificates(hasPassphrase: hasPassphrase)
        }
        return try asks(.find("cloud.example.org")) { $0.answered(number, .certificatesKept) }
    }

    @Test(
        "A server whose authority is not known, that wants a certificate, whose key has a passphrase: each is asked for"
    )
    mutating func certificates() throws {
        var number = try asks(.find("cloud.example.org")) { $0.find("cloud.example.org") }
        lacks(.authority, number)
        #expect(CertificateFiles.Part.allCases.filter(addition.certificates.isShown) == [.authority])
        #expect(addition.certificates.nextPart == .authority)
        refuses { $0.giveCertificates(hasPassphrase: false) }
        addition.choose(try file("ca.pem"), as: .authority)
        #expect(addition.problem == nil && addition.certificates.nextPart == nil)
        number = try gives()
        lacks(.certificate, number)
        #expect(addition.certificates.nextPart == .certificate)
        #expect(
            CertificateFiles.Part.allCases.filter(addition.certificates.isShown) == [.authority, .certificate, .key])
        refuses { $0.giveCertificates(hasPassphrase: true) }
        addition.choose(try file("eva.pem"), as: .certificate)
        #expect(addition.certificates.nextPart == .key)
        addition.choose(try file("eva.key"), as: .key)
        #expect(addition.certificates.nextPart == nil)
        let kept = try asks(.setCertificates(address: "cloud.example.org", addition.certificates)) {
            $0.giveCertificates(hasPassphrase: false)
        }
        lacks(.passphrase, kept)
        refuses { $0.giveCertificates(hasPassphrase: false) }
        number = try gives(hasPassphrase: true)
        // What was chosen first goes with the rest: each call replaces all.
        #expect(addition.certificates[.authority] != nil && addition.certificates[.certificate] != nil)
        settles(number, .found(Self.cloud(.password)))
        #expect(addition.step == .password)
    }

    @Test("Who goes back from the certificates types an address; those of another server are not given to it")
    mutating func backFromCertificates() throws {
        let number = try asks(.find("cloud.example.org")) { $0.find("cloud.example.org") }
        lacks(.authority, number)
        addition.choose(try file("ca.pem"), as: .authority)
        let asked = addition.giveCertificates(hasPassphrase: false)
        #expect(asked != nil)
        #expect(addition.goBack() && addition.step == .address && !addition.isBusy)
        _ = try asks(.find("other.example.org")) { $0.find("other.example.org") }
        #expect(addition.certificates == CertificateFiles())
        // The answer for the first one comes too late.
        if let asked { settles(asked.0, .certificatesKept) }
    }
}

/// Directories to choose from.
@Suite struct DirectoryChoiceTests {
    private var choice = DirectoryChoice()

    private mutating func list(_ path: String, _ names: [String], hasMore: Bool = false) {
        if !choice.begin() { _ = choice.toggle(path) }
        choice.listed(
            path, names.map { .init(name: $0, path: path.isEmpty ? $0 : "\(path)/\($0)") }, hasMore: hasMore)
    }

    private var shown: [String] {
        choice.rows.map { row in
            String(repeating: " ", count: row.depth) + row.name + (row.isInChosen ? " (in)" : row.isChosen ? " *" : "")
        }
    }

    @Test("A chosen directory stands for all that is in it")
    mutating func chosen() {
        list("", ["a", "ab"])
        list("a", ["x", "y"])
        choice.isLimited = true
        choice.choose("a/x", true)
        #expect(shown == ["a", " x *", " y", "ab"])
        choice.choose("a", true)
        #expect(shown == ["a *", " x (in)", " y (in)", "ab"])
        #expect(choice.only == ["a"])
        choice.choose("a", false)
        #expect(choice.only == [] && !choice.hasAny)
        choice.isLimited = false
        #expect(choice.hasAny)
    }

    @Test("What is opened is listed once, and again if that failed; what nobody asked for is not taken")
    mutating func opened() {
        let isAsked = choice.begin()
        let isAskedTwice = choice.begin()
        #expect(isAsked && !isAskedTwice && choice.isLoading)
        choice.failed("", "It is offline.")
        #expect(choice.notice == "It is offline.")
        _ = choice.toggle("")
        let isAskedAgain = choice.toggle("")
        #expect(isAskedAgain)
        choice.listed("", [.init(name: "a", path: "a", size: 1_500_000, hasChildren: false)], hasMore: true)
        choice.listed("", [], hasMore: false)
        choice.listed("elsewhere", [.init(name: "b", path: "elsewhere/b")], hasMore: false)
        #expect(choice.rows.map(\.path) == ["a"])
        #expect(choice.rows.first?.size == "1.5 MB" && choice.rows.first?.mayBeOpened == false)
    }
}

@Suite struct AdditionSummaryTests {
    private func summary(isOnDemand: Bool = false, _ set: (inout SyncPreview) -> Void) -> AdditionSummary {
        var preview = SyncPreview()
        set(&preview)
        return AdditionSummary(preview, of: "Cloud", isOnDemand: isOnDemand)
    }

    @Test("Every number is said that is one, and that nothing is deleted always")
    func sentences() {
        #expect(summary { _ in }.sentences.count == 2)
        let all = summary { preview in
            (preview.downloads, preview.uploads, preview.different, preview.leftHere) = (1, 2, 3, 4)
            preview.isPartial = true
        }.sentences
        #expect(all.count == 6)
        #expect(all.contains("Nothing is deleted."))
        #expect(summary { ($0.filesHere, $0.filesThere, $0.same) = (2, 2, 2) }.sentences[0].contains("same files"))
    }

    @Test("What does not fit is said before it happens, but not of what is not downloaded")
    func space() {
        let set: (inout SyncPreview) -> Void = { ($0.downloads, $0.downloadBytes, $0.free) = (1, .max, 5) }
        #expect(summary(set).warning != nil)
        #expect(summary(isOnDemand: true, set).warning == nil)
        #expect(summary { ($0.uploadBytes, $0.available) = (6, 5) }.warning != nil)
        #expect(summary { ($0.uploadBytes, $0.available) = (5, 5) }.warning == nil)
    }
}

@Suite struct SentenceTests {
    @Test("What is wrong with the keyring is said in words")
    func keyring() {
        for error in [SecretStoreError.locked, .noService, .silent] { #expect(Sentence.of(error) == error.sentence) }
    }
}
