#include "item-uri.h"

#include <QFile>
#include <QUrl>

namespace roundel::itemUri
{
static constexpr char scheme[] = "file://";
static constexpr int schemeLength = sizeof scheme - 1;

/** The bound of the service: PATH_MAX with its terminator. */
static constexpr int pathLimit = 4096;

static bool isUnreserved(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '-'
           || byte == '.' || byte == '_' || byte == '~';
}

static void appendByte(QByteArray &uri, char byte)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    if (isUnreserved(byte)) {
        uri.append(byte);
        return;
    }
    const auto value = static_cast<unsigned char>(byte);
    const char escaped[] = { '%', digits[value >> 4], digits[value & 15] };
    uri.append(escaped, 3);
}

static bool isDotSegment(const QByteArray &uri, int start)
{
    const int length = int(uri.size()) - start;
    return (length == 1 && uri[start] == '.') || (length == 2 && uri[start] == '.' && uri[start + 1] == '.');
}

static QByteArray canonicalOfPath(const QByteArray &path)
{
    QByteArray uri(scheme);
    uri.reserve(schemeLength + int(path.size()) + 16);
    int length = 0;
    for (int at = 0; at < int(path.size());) {
        if (path[at] == '/') {
            at++;
            continue;
        }
        uri.append('/');
        length++;
        const int start = int(uri.size());
        for (; at < int(path.size()) && path[at] != '/'; at++, length++) {
            if (path[at] == '\0')
                return {};
            appendByte(uri, path[at]);
        }
        if (isDotSegment(uri, start) || length >= pathLimit)
            return {};
    }
    if (uri.size() == schemeLength)
        uri.append('/');
    return uri;
}

QByteArray canonical(const QUrl &url)
{
    if (!url.isLocalFile() || url.hasQuery() || url.hasFragment())
        return {};
    const QString host = url.host();
    if (!host.isEmpty() && host != QLatin1String("localhost"))
        return {};
    const QString path = url.path(QUrl::FullyDecoded);
    return path.startsWith(QLatin1Char('/')) ? canonicalOfPath(QFile::encodeName(path)) : QByteArray();
}

QByteArray parent(const QByteArray &canonical)
{
    const int slash = int(canonical.lastIndexOf('/'));
    if (slash + 1 == canonical.size())
        return {};
    return canonical.left(qMax(slash, schemeLength + 1));
}

QByteArray name(const QByteArray &canonical)
{
    return canonical.mid(canonical.lastIndexOf('/') + 1);
}

bool isWithin(const QByteArray &canonical, const QByteArray &directory)
{
    if (!canonical.startsWith(directory))
        return false;
    return canonical.size() == directory.size() || directory.endsWith('/') || canonical[directory.size()] == '/';
}
} // namespace roundel::itemUri
