/// The state of a whole folder.
public struct FolderStatus: Hashable, Sendable {
    /// How it is.
    public var state: FolderState
    /// For people; may be empty.
    public var text: String
    /// 0-100 or 255.
    public var progress: UInt8

    /// A state.
    public init(state: FolderState, text: String = "", progress: UInt8 = Progress.none) {
        self.state = state
        self.text = text
        self.progress = progress
    }

    /// Nothing is known.
    public static let unknown = FolderStatus(state: .unknown)
}
