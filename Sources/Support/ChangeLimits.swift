/// How much of what changed in a folder is named one by one. The watcher gathers a batch within these limits, and the
/// badge service merges the batches that wait for a provider within the same ones.
@usableFromInline package enum ChangeLimits {
    /// More changed items than this in one directory become that directory.
    @inlinable package static var items: Int { 128 }
    /// More directories than this become the whole folder.
    @inlinable package static var directories: Int { 1000 }
}
