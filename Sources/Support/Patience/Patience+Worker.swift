extension Patience {
    /// The worker on the bus.
    package enum Worker {
        // MARK: Start and end

        /// For the badge service, so that no change is missed between the scan and the watching; then syncing starts
        /// without it.
        package static let service = limit(.seconds(3))
        /// After the badge service ended, before it is started again.
        package static let revival = pause(.seconds(1))
        /// For the effects of a folder that stops, since a side may never respond; then the folder is closed.
        package static let stop = limit(.seconds(3))
        /// Until the process has ended; then it exits without waiting for anything. Longer than ``stop``.
        package static let end = limit(.milliseconds(4_500))

        // MARK: Calls

        /// For the reply of the worker from memory or its store; then the call fails.
        package static let reply = limit(.seconds(60))
        /// The same for what includes the probing of a server.
        package static let serverReply = limit(.seconds(300))
        /// For the places of a folder that is added or moved; then the call fails.
        package static let places = limit(.seconds(5))
        /// For a password to come through a pipe; then the call fails.
        package static let password = limit(.seconds(10))
        /// How long a new folder waits for the call of Sync that should start it; then it starts by itself.
        package static let firstSync = limit(.seconds(2))
        /// For the roots of a folder that is removed, if only the disks know their identities; then it is removed
        /// without them.
        package static let roots = limit(.seconds(10))
        /// For the count of kept versions of a folder that is removed; then they are reported as partly known.
        package static let keptVersions = limit(.seconds(10))
        /// For a side's kept versions; then the list is reported without them.
        package static let trash = limit(.seconds(10))
        /// For what a server says of one item besides its contents, such as its versions; then it counts as silent.
        package static let aside = limit(.seconds(10))
        /// In a call of Sync, for files that programs are writing: longer than the quiet time after which a file counts
        /// as complete if nothing else shows that. Then the call returns.
        package static let writers = limit(.seconds(7))

        // MARK: Reports and regular work

        /// Between two reports of a folder's status, because users read no faster.
        package static let status = pause(.milliseconds(200))
        /// Between two reports of the progress of a restoration.
        package static let restoration = pause(.milliseconds(200))
        /// How often old versions of removed folders are removed.
        package static let ageing = pause(.seconds(86_400))
        /// Between two scans of a folder whose changes are not all reported, at the least and at the most.
        package static let rescan = (shortest: pause(.seconds(60)), longest: pause(.seconds(1_800)))
        /// Between two scans, even after a report.
        package static let leastRescan = pause(.seconds(5))

        /// Before the end of a pause that could not be saved is tried again.
        package static let unsavedResume = pause(.seconds(60))

        // MARK: Folders on demand

        /// For a folder to be mounted and answer, after its program was started; then it is tried again later.
        package static let mount = limit(.seconds(10))
        /// Until a folder that is being mounted is asked again whether it answers, at first and at the most.
        package static let mountQuestion = pause(.milliseconds(25))
        package static let longestMountQuestion = pause(.seconds(1))
        /// Before contents are demanded again in a folder that did not answer.
        package static let mountRetry = pause(.milliseconds(250))
        /// Before a removal that was interrupted and failed is tried again, at first and at the most.
        package static let removal = pause(.seconds(15))
        package static let longestRemoval = pause(.seconds(600))
        /// For a folder to be unmounted; then that counts as refused.
        package static let unmount = limit(.seconds(10))
        /// How often a mounted folder is told that contents are on their way. Less than ``Patience/Mount/fetch``.
        package static let goingOn = pause(.seconds(15))
        /// For a person to answer whether a program may download as much as it wants; then it may not.
        package static let downloadQuestion = limit(.seconds(600))
        /// How long a program must be quiet until what it opened before counts no more.
        package static let quietProgram = pause(.seconds(60))
        /// Before a path that is not known yet is asked for again.
        package static let unknownPath = pause(.milliseconds(500))
        /// Between two attempts to reach a remote that is away, because programs want something of it.
        package static let remoteQuestion = pause(.seconds(5))
        /// How long it is shown that a download is done.
        package static let doneNotice = pause(.seconds(120))
        /// Between two reports of how far a download is.
        package static let contentsProgress = pause(.milliseconds(200))
        /// Between two looks for contents that may be freed by a person's rule.
        package static let freeing = pause(.seconds(3_600))
        /// Between two such looks after something was written or fetched.
        package static let leastFreeing = pause(.seconds(60))
        /// After something was written or fetched, until such a look.
        package static let freeingSoon = pause(.seconds(10))

        // MARK: Copies out of folders and into them

        /// Between two reports of how far a copy is.
        package static let copyProgress = pause(.seconds(1))
        /// Before it is told that a copy is under way; most end earlier.
        package static let shortCopy = pause(.seconds(2))
        /// How long it is told how a copy ended.
        package static let copied = pause(.seconds(600))

        // MARK: The system bus

        /// Before a system bus that cannot be reached is tried again.
        package static let systemBus = pause(.seconds(60))
        /// For the replies of NetworkManager and logind; then they count as missing.
        package static let systemReply = limit(.seconds(10))
        /// How long work that begins after other work counts as part of it, for the lock that delays sleep.
        package static let lingering = pause(.seconds(1))
        /// How long syncing is held before sleep, while the machine is awake; then it goes on, in case no signal
        /// reports the end of the sleep.
        package static let oversleeping = limit(.seconds(60))
    }
}
