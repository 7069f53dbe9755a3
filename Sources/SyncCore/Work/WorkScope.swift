/// What may be begun or published now.
enum WorkScope: Hashable {
    /// Everything.
    case all
    /// What does not wait for the end of a scan.
    case urgent
    /// What somebody demands.
    case demanded
}
