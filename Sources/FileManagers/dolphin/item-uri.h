#pragma once

#include <QByteArray>

class QUrl;

namespace roundel
{
/** The item's canonical URI, see host/item-uri.h; nothing if the URL names no local item by an absolute path without
 * dot segments. QUrl leaves more characters plain, so its URLs have to be converted. */
QByteArray itemUri(const QUrl &url);
} // namespace roundel
