#include "item-uri.h"

#include "host.h"

#include <QFile>
#include <QUrl>

namespace roundel
{
QByteArray itemUri(const QUrl &url)
{
    if (!url.isLocalFile() || url.hasQuery() || url.hasFragment())
        return {};
    const QString path = url.path(QUrl::FullyDecoded);
    if (!path.startsWith(QLatin1Char('/')))
        return {};
    const QByteArray uri = "file://" + url.host().toUtf8() + QFile::encodeName(path).toPercentEncoding("/");
    g_autofree char *canonical = item_uri_canonical(uri.constData());
    return canonical;
}
} // namespace roundel
