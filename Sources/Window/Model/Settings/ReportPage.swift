internal import Client
package import RoundelBus
internal import Setup
internal import Support
internal import SystemPackage

/// What a bug report needs, as the window shows it before it goes anywhere.
package struct ReportPage: Sendable, Equatable {
    /// What there is to show.
    package enum Kind: String, Sendable {
        /// The report.
        case report
        /// It is still being put together.
        case waiting
        /// It could not be, and ``ReportPage/text`` says why.
        case failed
    }

    /// What there is to show.
    package let kind: Kind
    /// The report, or why there is none.
    package let text: String

    /// The page while the report is put together.
    package static let waiting = ReportPage(kind: .waiting, text: "")

    /// The name that is proposed for the file.
    package static let fileName = "roundel-report.txt"

    /// Puts the report together.
    package static func gathered() async -> ReportPage {
        do throws(SetupFailure) {
            return ReportPage(kind: .report, text: try await ProblemReport.gather().text())
        } catch {
            return ReportPage(kind: .failed, text: CheckupWords.sentence(error))
        }
    }

    /// Writes the report into a file, which the user chose.
    /// - Returns: What to say to the user.
    package func save(as file: ItemURI) async -> String {
        do throws(Errno) {
            try SmallFile.replace(file.filePath, with: Array(text.utf8))
            return tr("Saved as {1}.", file.sentencePath)
        } catch {
            return tr("“{1}” cannot be written: {2}.", file.sentencePath, "\(error)")
        }
    }
}
