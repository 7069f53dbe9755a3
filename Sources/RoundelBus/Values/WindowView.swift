/// What Roundel's window can be asked to show: the actions of its application, each with one text as its parameter.
package enum WindowView: String, CaseIterable, Sendable {
    /// The problems; the URI of a folder or an item to lead to, or "".
    case problems
    /// Why an item is not synced; its URI.
    case why
    /// What was done with an item; its URI.
    case history
    /// The sync engines; the id of a provider to lead to, or "".
    case engines
    /// The dialog that shares an item; its URI.
    case share
    /// The assistant that adds a folder; the URI of a directory of this computer.
    case add
}
