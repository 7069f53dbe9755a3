/// The state of a whole folder.
public struct FolderStatus: Hashable, Sendable {
    /// The state.
    public var state: FolderState
    /// A text for the user; may be empty.
    public var text: String
    /// The progress in percent, or 255 for none.
    public var progress: UInt8

    /// Creates a status.
    public init(state: FolderState, text: String = "", progress: UInt8 = Progress.none) {
        self.state = state
        self.text = text
        self.progress = progress
    }

    /// An unknown status.
    public static let unknown = FolderStatus(state: .unknown)
}
