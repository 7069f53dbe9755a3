/// What a session is to know before it starts.
public struct SessionConfiguration: Hashable, Sendable {
    /// Four characters that tell this installation's conflict copies from others'.
    public var tag: String
    /// Which names are not synced.
    public var excludes: ExcludePatterns
    /// Effects that the caller carries out at the same time; a few times as many are handed out.
    public var concurrency: Int
    /// Operations under way at most; more wait in the store.
    public var operationLimit: Int
    /// Whether the session begins paused.
    public var isPaused: Bool

    /// A configuration.
    public init(
        tag: String, excludes: ExcludePatterns = ExcludePatterns(), concurrency: Int = 16, operationLimit: Int = 4_096,
        isPaused: Bool = false
    ) {
        self.tag = tag
        self.excludes = excludes
        self.concurrency = concurrency
        self.operationLimit = operationLimit
        self.isPaused = isPaused
    }
}
