internal import Glibc

extension Redaction {
    /// What lets the words of Roundel's own sentences, the names of its programs, and what the system says of an error
    /// through.
    package static let ofOwnWords = Redaction(
        words: OwnWords.text.split { $0 == " " || $0 == "\n" } + programs.map { Substring($0) } + systemErrors)

    /// The names of the programs, without those of instances.
    package static let programs = [
        "roundel", "roundeld", "roundel-worker", "roundel-mount", "roundel-git", "roundel-marks", "roundel-syncthing",
        "roundel-metadata", "roundel-window",
    ]

    private static var systemErrors: [Substring] {
        (1...lastError).flatMap { code in
            String(cString: strerror(code)).split { !$0.isLetter && $0 != "-" && $0 != "/" }
        }.filter { $0.allSatisfy { $0.isASCII } }
    }

    /// EHWPOISON, the last one that Linux has.
    private static let lastError: Int32 = 133
}
