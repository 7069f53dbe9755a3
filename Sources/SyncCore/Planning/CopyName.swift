/// Names of what a person has copied to where its name is taken: `name (copy).ext`, `name (copy 2).ext`.
package enum CopyName {
    /// The name to try: at the first attempt the item's own.
    ///
    /// - Parameter attempt: From 1.
    package static func candidate(for name: EntryName, attempt: Int) -> EntryName {
        switch attempt {
        case ...1: name
        case 2: name.marked(" (copy)")
        default: name.marked(" (copy \(attempt - 1))")
        }
    }
}
