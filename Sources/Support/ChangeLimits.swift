/// The limits for listing changes in a folder individually. The watcher collects a batch within these limits, and the
/// badge service merges batches waiting for a provider within the same ones.
@usableFromInline package enum ChangeLimits {
    /// If more items change in one directory, they are reported as the directory.
    @inlinable package static var items: Int { 128 }
    /// If more directories change, they are reported as the whole folder.
    @inlinable package static var directories: Int { 1000 }
}
