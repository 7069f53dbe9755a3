internal import FoundationEssentials

/// An answer of the interface for shares. The version of it that is used reports failures inside, with a successful
/// status.
enum ShareAnswer {
    /// Why an answer has no contents.
    enum Failure: Error {
        case malformed
        /// With the server's one-line reason for the user, if it gives one.
        case refused(String?)
    }

    /// The contents of an answer.
    static func contents<Contents: Decodable>(_ answer: [UInt8]) throws(Failure) -> Contents {
        let text = Data(answer)
        guard let outcome = try? JSONDecoder().decode(Enveloped<Outcome>.self, from: text).ocs.meta else {
            throw .malformed
        }
        guard outcome.isSuccess else { throw .refused(outcome.sentence) }
        guard let contents = try? JSONDecoder().decode(Enveloped<Filled<Contents>>.self, from: text).ocs.data else {
            throw .malformed
        }
        return contents
    }

    /// Fails if an answer reports that nothing was done.
    static func check(_ answer: [UInt8]) throws(Failure) {
        guard let outcome = try? JSONDecoder().decode(Enveloped<Outcome>.self, from: Data(answer)).ocs.meta else {
            throw .malformed
        }
        guard outcome.isSuccess else { throw .refused(outcome.sentence) }
    }
}

private struct Enveloped<Contents: Decodable>: Decodable { var ocs: Contents }

private struct Filled<Contents: Decodable>: Decodable { var data: Contents }

private struct Outcome: Decodable {
    struct Meta: Decodable {
        var statuscode: Int
        var message: String?

        var isSuccess: Bool { statuscode == 100 || statuscode == 200 }

        /// The most characters of a reason that are shown.
        private static let longest = 256

        /// The reason, if it is a line that can be displayed.
        var sentence: String? {
            guard let message, ServerText.isLine(message, longest: Self.longest) else { return nil }
            return message
        }
    }

    var meta: Meta
}

/// Texts of a server for people.
enum ServerText {
    /// Whether a text is a line that can be displayed.
    static func isLine(_ text: String, longest: Int) -> Bool {
        (1...longest).contains(text.count) && text.unicodeScalars.allSatisfy { !isControl($0) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
