import Glibc

/// The number of files that this process may have open.
enum DescriptorLimit {
    private static let wanted: rlim_t = 16_384

    /// Raises the limit as far as the system allows and this program needs; returns the new limit.
    static func raised() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let target = min(limit.rlim_max, wanted)
        if limit.rlim_cur < target {
            limit.rlim_cur = target
            guard setrlimit(resource, &limit) == 0, getrlimit(resource, &limit) == 0 else { return 0 }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
