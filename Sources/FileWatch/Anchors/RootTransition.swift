/// Decides what to report and do after the path of a folder was followed (again). Pure.
struct RootTransition: Equatable {
    enum Step: Equatable {
        case none
        /// The folder is watched for the first time.
        case scan
        /// The folder is watched, and everything in it may have changed.
        case scanAsChanged
        /// The folder is not watched (any more).
        case lose
    }

    let event: WatchEvent?
    let step: Step

    private init(_ event: WatchEvent?, _ step: Step) {
        self.event = event
        self.step = step
    }

    /// - Parameter isSame: Whether the directory that is there now is the same as before.
    init(of folder: FolderID, from before: Anchor.State, to after: Anchor.State, isSame: Bool) {
        switch (before, after) {
        case (.pending, .attached):
            self.init(nil, .scan)
        case (.missing, .attached), (.blocked, .attached):
            self.init(.rootAppeared(folder), .scanAsChanged)
        case (.attached, .attached) where isSame:
            self.init(nil, .none)
        case (.dropped, .attached) where isSame:
            self.init(nil, .scanAsChanged)
        case (_, .attached):
            self.init(.rootReplaced(folder, by: .directory), .scanAsChanged)
        case (.missing, .missing), (.blocked, .missing), (.unwatchable, .unwatchable):
            self.init(nil, .none)
        case (_, .missing):
            self.init(.rootLost(folder), .lose)
        case (_, .blocked(let kind)):
            self.init(before == after ? nil : .rootReplaced(folder, by: kind), .lose)
        case (.attached, .unwatchable), (.dropped, .unwatchable):
            self.init(.rootReplaced(folder, by: .directory), .lose)
        case (.pending, .unwatchable), (.missing, .unwatchable), (.blocked, .unwatchable), (_, .dropped), (_, .pending):
            // Nothing was known, or the search starts again.
            self.init(nil, .none)
        }
    }
}
