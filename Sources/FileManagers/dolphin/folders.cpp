#include "folders.h"

#include "item-uri.h"

#include <algorithm>

namespace roundel
{
void Folders::set(const QStringList &uris)
{
    clear();
    for (const QString &uri : uris) {
        const QByteArray folder = uri.toUtf8();
        m_uris.append(folder);
        const QByteArray parent = itemUri::parent(folder);
        if (!parent.isEmpty())
            m_parents.insert(parent);
    }
}

void Folders::clear()
{
    m_uris.clear();
    m_parents.clear();
}

bool Folders::isEmpty() const
{
    return m_uris.isEmpty();
}

bool Folders::contain(const QByteArray &itemUri) const
{
    return std::any_of(m_uris.begin(), m_uris.end(),
        [&itemUri](const QByteArray &folder) { return itemUri::isWithin(itemUri, folder); });
}

bool Folders::mayMonitor(const QByteArray &directoryUri) const
{
    return m_parents.contains(directoryUri) || contain(directoryUri);
}
} // namespace roundel
