import Glibc
import TestSupport

@testable import SyncEngine

extension TemporaryDirectory {
    /// The names of a root but for the engine's own directory.
    func items() throws -> [String] { try names().filter { $0 != ".roundel" } }
}

/// Whether nobody has a file open for writing, at last; a child that another test starts may hold it for a moment.
func becomesIdle(_ file: Descriptor) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        let answer = WriterCheck.check(file)
        if answer != .busy { return answer == .idle }
        usleep(1_000)
    }
    return false
}
