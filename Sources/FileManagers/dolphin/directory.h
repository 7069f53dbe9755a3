#pragma once

#include "badge.h"

#include <QByteArrayList>
#include <QList>
#include <QUrl>

#include <unordered_map>

namespace roundel
{
/** An item that the file manager asked about, and what is known of it. */
struct DirectoryEntry {
    QUrl url;               // as the file manager writes it
    Badge badge;            // kept from one observation to the answer of the next, so that nothing flickers
    bool isChanged = false; // the file manager will be notified
};

/** One directory of which the file manager asked about items. */
class Directory
{
public:
    enum class State {
        unobserved,
        beginning, // BeginObserving was sent
        observed,
    };

    Directory(const QByteArray &uri, const QUrl &someItem);

    const QByteArray uri;
    const QUrl someItem; // windows are asked about the directory by this item
    State state = State::unobserved;
    bool isRefused = false; // the service does not monitor it; not asked again while it is shown and Folders stays
    quint64 generation = 0; // of the observation; replies to an earlier one do not count
    quint64 lastAsked = 0;  // larger than that of each directory that was asked about before
    std::unordered_map<QByteArray, DirectoryEntry> entries; // by name, percent-encoded
    QByteArrayList names;    // of the entries, in the order in which the file manager asked: what it shows comes first
    qsizetype requested = 0; // how many of them the current observation has asked the service for

    bool hasUnrequested() const;

    /** The entry of that name, and whether it is new. */
    std::pair<DirectoryEntry *, bool> ensure(const QByteArray &name, const QUrl &url);
    DirectoryEntry *find(const QByteArray &name);

    /** Forgets the items without a badge, and gives their URLs. */
    QList<QUrl> forgetUnbadged();
};
} // namespace roundel
