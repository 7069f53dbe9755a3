#include "directory.h"

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
} // namespace roundel
