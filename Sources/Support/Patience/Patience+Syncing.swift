extension Patience {
    /// The sync engine: its sessions and what surrounds them.
    package enum Syncing {
        // MARK: Around a session, whose own pauses are in SyncEngine's extension

        /// How long changes that are reported during a sync are collected; then the session is told of them even if it
        /// still runs.
        package static let collecting = pause(.seconds(2))
        /// Between two checks whether a side owes an answer.
        package static let listening = pause(.seconds(2))
        /// How long opened files are held after a run: the watchers report its changes a moment later, and those are
        /// then examined once more.
        package static let holding = pause(.milliseconds(500))
        /// Before a database that cannot be used is opened again; each further pause is twice as long.
        package static let store = pause(.milliseconds(500))
        /// The longest pause between two attempts for a database.
        package static let longestStore = pause(.seconds(60))
        /// Between two reports of a transfer's progress; transfers that are faster report none.
        package static let progress = pause(.milliseconds(200))
        /// For room that removed versions held and that the file system does not show as free (a snapshot may hold it);
        /// then others give way.
        package static let owedRoom = pause(.seconds(3_600))

        // MARK: Answers of a disk; then its side counts as silent.

        /// To examine something.
        package static let look = limit(.seconds(8))
        /// To read or write a part of a file.
        package static let part = limit(.seconds(15))
        /// To rename, remove, create or change something, which may require copying a file.
        package static let change = limit(.seconds(120))
        /// To make something durable, which may mean writing out everything that memory holds.
        package static let durability = limit(.seconds(600))

        // MARK: Bandwidth

        /// How long a plan with periods is not checked again.
        package static let plan = pause(.seconds(1))
        /// The longest wait before a waiting transfer checks again, because the plan may have changed.
        package static let slowedTransfer = pause(.milliseconds(250))
    }

    /// The comparison of both sides.
    package enum Verification {
        /// Between two reports of the progress, because users read no faster.
        package static let report = pause(.milliseconds(200))
        /// Before items that looked different are judged: a watcher reports a change after a second at the latest.
        package static let watcher = pause(.milliseconds(1_500))
        /// Until the folder has nothing to do; items that it still works on are then not judged.
        package static let folder = limit(.seconds(5))
        /// For the loop, which itself waits for nothing; then nothing that was asked is judged.
        package static let loop = limit(.seconds(30))
    }
}
