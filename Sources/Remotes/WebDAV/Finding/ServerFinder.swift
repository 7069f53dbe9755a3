internal import FoundationEssentials
package import Remotes
internal import SyncCore

/// Finds out what is at the address of a server that a person typed: decides which question is asked next, from the
/// answers so far. Pure: who asks the questions is elsewhere.
package struct ServerFinder: Sendable {
    /// What comes next.
    package enum Step: Hashable, Sendable {
        case ask(ServerQuestion)
        case found(Place)
        case failed(Failure)
    }

    /// What is there.
    package enum Place: Hashable, Sendable {
        /// Files of people with accounts on a server with Nextcloud's layout.
        case cloud(ServerCloud)
        /// A collection of any server, and whether it wants a password.
        case collection(ServerLocation, needsPassword: Bool)
    }

    /// Why nothing is found.
    package enum Failure: Error, Hashable, Sendable {
        /// It is no address of a server, or one that would be asked without encryption.
        case unusable(ServerLocation.Mistake)
        /// The server cannot be asked.
        case unanswered(ServerLocation, DAVFailure)
        /// What answers there is no server that folders sync with.
        case nothing(ServerLocation)
        /// The server takes a break.
        case maintained(ServerLocation)
        /// The server wants people to log in in ways that this program has not: these.
        case foreignLogin(ServerLocation, [String])
    }

    private enum Aim: Hashable, Sendable {
        /// The page that says what a server with Nextcloud's layout is, whose own pages begin here.
        case status([EntryName])
        /// The page that says where the server's collections are.
        case wellKnown
        /// A collection.
        case collection([EntryName])
    }

    /// The most times that servers may send on to another address.
    private static let mostRedirects = 5
    /// The most questions.
    private static let mostQuestions = 20
    /// Names below which people often have such servers.
    private static let usualNames = ["nextcloud", "owncloud", "cloud"].compactMap { EntryName($0) }

    /// The origins to try, the best first.
    private var origins: [ServerLocation]
    private let query: [String: String]
    private var landmark: ServerLandmark?
    private var place: ServerLocation
    private var aims: [Aim] = []
    private var asked: Set<ServerQuestion> = []
    private var asking: (aim: Aim, question: ServerQuestion)?
    private var redirects = 0
    private var foreign: [String]?
    /// Why an encrypted server was not asked, whose port may also be that of one that does not encrypt.
    private var distrust: (place: ServerLocation, failure: DAVFailure)?

    /// - Throws: `unusable`.
    package init(_ address: ServerAddress) throws(Failure) {
        let port = address.port.map { ":\($0)" } ?? ""
        let names = address.path.compactMap { EntryName($0) }
        guard names.count == address.path.count else { throw .unusable(.malformed) }
        func origin(_ scheme: String) throws(Failure) -> ServerLocation {
            do throws(ServerLocation.Mistake) {
                return try ServerLocation(scheme + "://" + address.host + port).at(names)
            } catch {
                throw .unusable(error)
            }
        }
        switch address.scheme {
        case .https: origins = [try origin("https")]
        case .http:
            // Beyond this computer it is asked encrypted, if the usual ports are meant.
            do throws(Failure) {
                origins = [try origin("http")]
            } catch {
                guard error == .unusable(.unencrypted), [nil, 80].contains(address.port) else { throw error }
                let encrypted = ServerLocation.encrypted(host: address.host)
                guard let encrypted else { throw error }
                origins = [encrypted.at(names)]
            }
        case .any:
            let encrypted = try origin("https")
            origins = [encrypted] + ((try? origin("http")).map { [$0] } ?? [])
        }
        query = address.query
        place = origins[0]
        begin(at: origins.removeFirst())
    }

    private mutating func begin(at place: ServerLocation) {
        self.place = place
        let names = place.names
        landmark = ServerLandmark(names, query: query)
        if let landmark {
            aims = [.status(landmark.base), .collection(names)]
        } else if names.isEmpty {
            aims = [.status([]), .wellKnown, .collection([])] + Self.usualNames.map { .status([$0]) }
        } else {
            let above = (0..<names.count).reversed().prefix(3).map { Aim.status(Array(names.prefix($0))) }
            aims = [.status(names), .collection(names)] + above + [.wellKnown]
        }
    }

    // MARK: Steps

    /// The first question, and whichever follows without a new answer.
    package mutating func next() -> Step {
        while !aims.isEmpty, asked.count < Self.mostQuestions {
            let aim = aims.removeFirst()
            let question = self.question(aim)
            guard asked.insert(question).inserted else { continue }
            asking = (aim, question)
            return .ask(question)
        }
        if let foreign { return .failed(.foreignLogin(place.at([]), foreign)) }
        return .failed(distrust.map { .unanswered($0.place, $0.failure) } ?? .nothing(place))
    }

    /// What follows a question that nobody answered.
    package mutating func next(after failure: DAVFailure) -> Step {
        let place = asking?.question.place ?? place
        guard !origins.isEmpty else {
            return .failed(.unanswered(distrust?.place ?? place, distrust?.failure ?? failure))
        }
        if failure.reason == .untrusted { distrust = (place, failure) }
        begin(at: origins.removeFirst())
        return next()
    }

    /// What follows an answer.
    package mutating func next(after reply: ServerReply) -> Step {
        guard let (aim, question) = asking else { return next() }
        // Whoever answers is the one that is meant.
        origins = []
        if (300..<400).contains(reply.status), let target = reply.target {
            follow(target, from: question, aim)
            return next()
        }
        switch aim {
        case .status(let base): return status(reply, base) ?? next()
        case .wellKnown: return next()
        case .collection(let names): return collection(reply, names) ?? next()
        }
    }

    private func question(_ aim: Aim) -> ServerQuestion {
        switch aim {
        case .status(let base): ServerQuestion(method: .page, place: place.at(base + Self.statusPage))
        case .wellKnown: ServerQuestion(method: .page, place: place.at(Self.wellKnownPage))
        case .collection(let names): ServerQuestion(method: .collection, place: place.at(names))
        }
    }

    private static let statusPage = ["status.php"].compactMap { EntryName($0) }
    private static let wellKnownPage = [".well-known", "webdav"].compactMap { EntryName($0) }

    private func status(_ reply: ServerReply, _ base: [EntryName]) -> Step? {
        guard reply.status == 200 || reply.status == 503,
            let status = try? JSONDecoder().decode(CloudStatus.self, from: Data(reply.page)), status.installed
        else { return nil }
        if status.maintenance ?? false { return .failed(.maintained(place.at(base))) }
        return .found(
            .cloud(
                ServerCloud(
                    place: place.at(base), isOwnCloud: status.isOwnCloud, item: landmark?.item ?? .path([]),
                    user: landmark?.user)))
    }

    private mutating func collection(_ reply: ServerReply, _ names: [EntryName]) -> Step? {
        switch reply.status {
        case 207: return .found(.collection(place.at(names), needsPassword: false))
        case 401:
            let schemes = reply.challenges.map { $0.prefix { $0 != " " }.lowercased() }
            if schemes.contains("basic") { return .found(.collection(place.at(names), needsPassword: true)) }
            foreign = schemes.filter { (1...32).contains($0.count) && $0.allSatisfy(\.isLetter) }
            return nil
        case _: return nil
        }
    }

    // MARK: Redirects

    private mutating func follow(_ target: String, from question: ServerQuestion, _ aim: Aim) {
        guard redirects < Self.mostRedirects, let place = question.place.target(target) else { return }
        redirects += 1
        let isElsewhere = place.origin != self.place.origin
        let names = place.names
        switch aim {
        case .status where names.suffix(1) == Self.statusPage[...]:
            if isElsewhere { begin(at: place.at(Array(names.dropLast()))) }
            aims.insert(.status(Array(names.dropLast())), at: 0)
        case .status, .wellKnown, .collection:
            if isElsewhere { return begin(at: place) }
            // To a page on which people log in: what was asked for is not there.
            if case .status = aim { return }
            let base = ServerLandmark(names, query: [:])?.base
            aims = (base.map { [.status($0)] } ?? []) + [.collection(names)] + aims
        }
    }
}

/// A server with Nextcloud's layout, and what an address means there.
package struct ServerCloud: Hashable, Sendable {
    /// Where the server's own pages begin.
    let place: ServerLocation
    /// Whether it is ownCloud.
    let isOwnCloud: Bool
    let item: ServerLandmark.Item
    /// Whose files they are, if the address says so.
    let user: EntryName?
}

/// What such a server says about itself, without a login.
private struct CloudStatus: Decodable {
    var installed: Bool
    var maintenance: Bool?
    var productname: String?
    var edition: String?

    /// Nextcloud has no editions.
    var isOwnCloud: Bool {
        let name = (productname ?? "").lowercased()
        return name.contains("owncloud") || name.contains("infinite scale") || !(edition ?? "").isEmpty
    }
}
