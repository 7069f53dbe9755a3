extension Patience {
    /// A WebDAV server.
    package enum Server {
        // MARK: Requests; then they fail.

        /// Until a connection is established.
        package static let connection = limit(.seconds(15))
        /// Between two parts of a response, or until it begins; and between two parts of an upload.
        package static let silence = limit(.seconds(45))
        /// For a whole request without contents of files.
        package static let answer = limit(.seconds(120))
        /// For a whole listing, which must also show progress all the time.
        package static let listing = limit(.seconds(600))
        /// Until the server responds to a large upload: a proxy may have received it quickly and still be forwarding it.
        package static let largeFile = limit(.seconds(900))
        /// Until a file is assembled from its chunks, in addition to a time that depends on its size.
        package static let assembly = limit(.seconds(60))
        /// Between two looks whether the file is assembled.
        package static let assemblyLook = pause(.seconds(2))

        // MARK: The way to it

        /// Until the desktop says which proxy leads to a server; then it is reached directly.
        package static let proxyAnswer = limit(.seconds(5))
        /// How long the desktop's answer is used before it is asked again.
        package static let proxies = pause(.seconds(60))

        // MARK: Contents that end too early

        /// Before the rest is requested; each further pause without a byte is twice as long.
        package static let cut = pause(.milliseconds(100))

        // MARK: Servers that want to be left alone

        /// After the first refusal without a time; each further pause is twice as long.
        package static let throttled = pause(.seconds(5))
        /// The longest pause after such a refusal.
        package static let longestThrottled = pause(.seconds(600))

        // MARK: Staged files that cannot be removed

        /// Before the first further attempt; each further pause is twice as long.
        package static let remains = pause(.seconds(1))
        /// The longest pause between two attempts.
        package static let longestRemains = pause(.seconds(300))

        // MARK: The channel for changes

        /// Until the server has accepted the login for the channel; then the channel counts as failed.
        package static let channel = limit(.seconds(60))
        /// Between two questions whether the server is still there; after three without a sign the channel is closed.
        package static let channelCheck = pause(.seconds(120))
        /// Before a server that has no channel, or rejects the login there, is asked again.
        package static let noChannel = pause(.seconds(3_600))

        // MARK: What is known of a server

        /// How long the result of a probe is valid.
        package static let review = pause(.seconds(86_400))
        /// Before a probe that failed is repeated.
        package static let failedReview = pause(.seconds(3_600))

        // MARK: Logins

        /// Between two requests whether the user has logged in with the browser.
        package static let login = pause(.seconds(2))
        /// How long credentials are used before they are read from the keyring again.
        package static let credentials = pause(.seconds(60))
        /// How long refused credentials are not sent again: servers lock accounts after repeated attempts.
        package static let refusedCredentials = pause(.seconds(600))
    }

    /// rclone, which the worker runs.
    package enum Rclone {
        /// Until it accepts requests, which takes a while on a busy machine; then it counts as not started.
        package static let start = limit(.seconds(30))
        /// For a request without contents of files; then the request fails, as for the next three.
        package static let answer = limit(.seconds(180))
        /// For a listing, and for what the service does step by step, such as moving a directory file by file.
        package static let longAnswer = limit(.seconds(3_600))
        /// For a transfer without progress: at its end, services assemble large files.
        package static let silence = limit(.seconds(600))
        /// To set the bandwidth limit. If rclone is already very slow, it responds late, and the request is repeated.
        package static let telling = limit(.seconds(3))
        /// Without requests, after which it is stopped.
        package static let idle = pause(.seconds(60))
        /// Until a mark is visible that another installation gives a root at the same time.
        package static let marking = pause(.seconds(3))
        /// Between two questions for a transfer's progress.
        package static let progress = pause(.milliseconds(250))
        /// The longest time between two checks for new bytes of a download.
        package static let download = pause(.milliseconds(100))
        /// To exit by itself; then it is killed.
        package static let exit = limit(.seconds(3))
        /// Until an exit is noticed that the closed connections indicate; then the failure is reported without it.
        package static let exitNoticed = limit(.seconds(10))
    }
}
