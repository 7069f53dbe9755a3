import Glibc
import Support

/// The system's message for a failed call.
enum SystemError {
    static func description(of code: Int32) -> String {
        switch code {
        case ENOENT: Phrase.text("there is no such file or directory")
        case ENOTDIR: Phrase.text("it is not a directory")
        case EACCES, EPERM: Phrase.text("permission is denied")
        case ELOOP: Phrase.text("it leads through too many symbolic links")
        case ENAMETOOLONG: Phrase.text("the name is too long")
        default: String(cString: strerror(code))
        }
    }
}
