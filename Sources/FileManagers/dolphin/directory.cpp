#include "directory.h"

#include <utility>

namespace roundel
{
Directory::Directory(const QByteArray &uri, const QUrl &someItem) : uri(uri), someItem(someItem)
{
}

std::pair<DirectoryEntry *, bool> Directory::ensure(const QByteArray &name, const QUrl &url)
{
    const auto [entry, isNew] = entries.try_emplace(name, DirectoryEntry{ url, {} });
    if (isNew)
        names.append(name);
    return { &entry->second, isNew };
}

bool Directory::hasUnrequested() const
{
    return requested < names.size();
}

DirectoryEntry *Directory::find(const QByteArray &name)
{
    const auto entry = entries.find(name);
    return entry == entries.end() ? nullptr : &entry->second;
}

QList<QUrl> Directory::forgetUnbadged()
{
    QList<QUrl> forgotten;
    QByteArrayList kept;
    for (const QByteArray &name : std::as_const(names)) {
        const auto entry = entries.find(name);
        if (!entry->second.badge.isNone()) {
            kept.append(name);
            continue;
        }
        forgotten.append(entry->second.url);
        entries.erase(entry);
    }
    names = kept;
    requested = 0;
    return forgotten;
}
} // namespace roundel
