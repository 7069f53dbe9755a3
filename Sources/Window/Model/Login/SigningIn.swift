internal import Support

/// How a person logs in at the server of a folder that they have: on a page of it, or with a password. Pure: what the
/// person does and what the services answer come in, questions come out.
package struct SigningIn: Sendable, Equatable {
    /// What the person is asked for.
    package enum Step: Sendable, Equatable, CaseIterable {
        /// To wait until it is known how the server lets people in.
        case looking
        /// To log in on a page of the server.
        case page
        /// A password.
        case password
        /// Nothing more.
        case done
    }

    /// What is to be asked of the services. The answer of the question that was asked last counts, and no other.
    package enum Question: Sendable, Equatable {
        /// Opens a page of the server, and waits until the person has logged in there.
        case page
        /// Tries and saves the password that the person has typed.
        case password(user: String)
    }

    /// What a question was answered.
    package enum Answer: Sendable, Equatable {
        /// The login of this user was saved.
        case loggedIn(user: String)
        /// The server has no page on which people log in.
        case hasNoPage
        /// A sentence for the person.
        case failed(String)
    }

    /// What the person is asked for.
    package private(set) var step: Step = .looking
    /// Why it did not go on, in a sentence; nil where nothing is wrong.
    package private(set) var problem: String?
    /// Whether an answer is waited for.
    package private(set) var isBusy = false
    /// The server, for people.
    package let server: String
    /// The user whom the folder needs; nil for any.
    package let user: String?
    private var number = 0

    /// - Parameters:
    ///   - server: The origin of the server.
    ///   - user: The user whom the folder needs; nil for any.
    package init(server: String, user: String?) {
        self.server = server.hasPrefix("https://") ? String(server.dropFirst(8)) : server
        self.user = user
    }

    /// What there is to wait for, in words; nil for nothing.
    package var work: String? {
        guard isBusy else { return nil }
        return switch step {
        case .looking: tr("Asking the server…")
        case .page: tr("Waiting until you have logged in…")
        case .password: tr("Logging in…")
        case .done: nil
        }
    }

    /// Opens the server's page, if it has one; again if it was open.
    package mutating func openPage() -> (Int, Question)? { step == .done ? nil : ask(.page) }

    /// Logs in with a password rather than on the server's page.
    package mutating func usePassword() {
        guard step == .page || step == .looking else { return }
        (step, isBusy, problem) = (.password, false, nil)
        number += 1
    }

    /// Logs in with the password that was typed.
    package mutating func logIn(user typed: String, hasPassword: Bool) -> (Int, Question)? {
        guard step == .password else { return nil }
        let name = user ?? typed.trimmed
        guard !name.isEmpty, hasPassword else {
            problem = tr("Type your user name and your password.")
            return nil
        }
        return ask(.password(user: name))
    }

    /// The page of the server was opened.
    package mutating func pageOpened(_ number: Int) {
        if isBusy, number == self.number, step == .looking { step = .page }
    }

    /// The answer to a question.
    package mutating func answered(_ number: Int, _ answer: Answer) {
        guard isBusy, number == self.number else { return }
        isBusy = false
        switch answer {
        case .hasNoPage: step = .password
        case .failed(let sentence): problem = sentence
        case .loggedIn(let found):
            guard user == nil || user == found else {
                problem = tr("You logged in as “{1}”, but this folder needs the login of “{2}”.", found, user ?? "")
                return
            }
            step = .done
        }
    }

    private mutating func ask(_ question: Question) -> (Int, Question) {
        (problem, isBusy) = (nil, true)
        number += 1
        return (number, question)
    }
}
