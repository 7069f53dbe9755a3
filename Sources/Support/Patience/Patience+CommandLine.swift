extension Patience {
    /// The command `roundel`.
    package enum CommandLine {
        /// For badges that providers have not determined yet; then those that are known are printed.
        package static let badges = limit(.seconds(1))
        /// For the folders and the worker's report; then those that are known are printed.
        package static let status = limit(.seconds(2))
        /// For the badge service to say which sync engines there are; then the bundled one is asked.
        package static let engines = limit(.seconds(5))
        /// For the user manager to say what it knows of a unit; then nothing is said of it.
        package static let unit = limit(.seconds(5))
        /// For a provider's menu, from the service's first answer on; then the item counts as unknown.
        package static let menu = limit(.seconds(2))
        /// Until a program that was just started is ready; then the doctor reports that it is not.
        package static let start = limit(.seconds(5))
        /// For services to end, because they finish or abandon transfers cleanly; then they are reported.
        package static let end = limit(.seconds(40))
        /// Until a started helper is visible as a process; then it counts as ended.
        package static let helper = limit(.seconds(10))
        /// Between two questions for something that no signal reports.
        package static let asking = pause(.milliseconds(50))
    }
}
