#include "shown-badges.h"

#include "item-uri.h"
#include "open-directories.h"

#include <algorithm>

namespace roundel
{
/** How many directories stay observed in a program that does not say which it shows. */
static constexpr size_t directoriesOnSuspicion = 64;

static constexpr guint pauseMilliseconds = 50;

/** An item as the file manager writes it, for the library. */
struct ShownItem {
    ShownBadges *badges;
    QUrl url;
    DirectoryEntry *entry = nullptr;
    int references = 0;
};

static gpointer ref(gpointer item)
{
    static_cast<ShownItem *>(item)->references++;
    return item;
}

static void unref(gpointer pointer)
{
    auto *item = static_cast<ShownItem *>(pointer);
    if (--item->references == 0)
        delete item;
}

static void follow(gpointer item, DirectoryEntry *entry)
{
    static_cast<ShownItem *>(ref(item))->entry = entry;
}

static void unfollow(gpointer item, DirectoryEntry *)
{
    static_cast<ShownItem *>(item)->entry = nullptr;
    unref(item);
}

static void refresh(gpointer pointer)
{
    const auto *item = static_cast<ShownItem *>(pointer);
    Q_EMIT item->badges->changed(item->url, item->entry == nullptr ? nullptr : &item->entry->badge);
}

ShownBadges::ShownBadges(HostLink *link, OpenDirectories &open, QObject *parent)
    : QObject(parent), m_open(open), m_slice(time_slice_new(g_get_monotonic_time))
{
    static const ItemMethods items = { ref, unref, follow, unfollow, refresh };
    static const ObserverEvents noEvents = {};
    const Habits habits = { TRUE, pauseMilliseconds, TRUE, TRUE };
    const ObserverParts parts = { link, &m_slice, &items, habits };
    m_observer = observer_new(&parts, &noEvents, nullptr);
    m_review.setSingleShot(true);
    m_review.setInterval(0);
    connect(&m_review, &QTimer::timeout, this, &ShownBadges::review);
    connect(&m_open, &OpenDirectories::mayHaveChanged, this, [this] {
        if (!m_places.empty())
            m_review.start();
    });
}

ShownBadges::~ShownBadges()
{
    observer_free(m_observer);
}

/** At once: the turn in which Dolphin shows a folder is a long one, during which the service can answer. */
ShownBadges::Place &ShownBadges::ensurePlace(const QByteArray &directory, const QUrl &item)
{
    const auto known = m_places.find(directory);
    if (known != m_places.end())
        return known->second;
    Place &place = m_places[QByteArray(directory.constData(), directory.size())];
    place.someItem = item;
    if (m_open.holding(item) != OpenDirectories::Answer::closed)
        show(directory, place);
    m_review.start();
    return place;
}

const Badge *ShownBadges::badge(const QUrl &item)
{
    const QByteArray uri = itemUri(item);
    DirectoryEntry *entry = uri.isEmpty() ? nullptr : observer_entry(m_observer, uri.constData());
    if (entry == nullptr)
        return nullptr;
    if (entry->items == nullptr)
        directory_entry_attach(entry, new ShownItem{ this, item });
    const char *directory = entry->directory->uri;
    Place &place = ensurePlace(QByteArray::fromRawData(directory, int(qstrlen(directory))), item);
    place.lastAsked = ++m_asked;
    if (place.isShown)
        observer_request(m_observer, entry);
    return &entry->badge;
}

void ShownBadges::show(const QByteArray &directory, Place &place)
{
    if (!place.isShown)
        observer_show(m_observer, directory.constData());
    place.isShown = true;
}

/** Begins and ends what the windows show now. */
void ShownBadges::review()
{
    for (auto next = m_places.begin(); next != m_places.end();) {
        const auto current = next++;
        if (m_open.holding(current->second.someItem) != OpenDirectories::Answer::closed) {
            show(current->first, current->second);
        } else {
            observer_forget(m_observer, current->first.constData());
            m_places.erase(current);
        }
    }
    while (m_places.size() > directoriesOnSuspicion
           && m_open.holding(m_places.begin()->second.someItem) == OpenDirectories::Answer::unknown)
        endOldest();
}

void ShownBadges::endOldest()
{
    const auto oldest = std::min_element(m_places.begin(), m_places.end(),
        [](const auto &some, const auto &other) { return some.second.lastAsked < other.second.lastAsked; });
    observer_forget(m_observer, oldest->first.constData());
    m_places.erase(oldest);
}
} // namespace roundel
