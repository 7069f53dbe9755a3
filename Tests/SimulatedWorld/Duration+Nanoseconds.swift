extension Duration {
    /// What the simulated clock counts; a rest is dropped.
    var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
