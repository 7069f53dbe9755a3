import Glibc
import Support

/// The system's message for a failed call.
enum SystemError {
    static func description(of code: Int32) -> String {
        switch code {
        case ENOENT: tr("there is no such file or directory")
        case ENOTDIR: tr("it is not a directory")
        case EACCES, EPERM: tr("permission is denied")
        case ELOOP: tr("it leads through too many symbolic links")
        case ENAMETOOLONG: tr("the name is too long")
        default: String(cString: strerror(code))
        }
    }
}
