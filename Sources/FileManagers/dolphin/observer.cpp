#include "observer.h"

#include "item-uri.h"
#include "open-directories.h"
#include "refresh-queue.h"

#include <QLoggingCategory>

namespace roundel
{
Q_LOGGING_CATEGORY(logObserver, "roundel.dolphin.observer", QtInfoMsg)

/** How many directories stay observed in a program that does not say which it shows. */
static constexpr size_t directoriesOnSuspicion = 64;

Observer::Observer(HostLink &link, OpenDirectories &open, RefreshQueue &refresh, QObject *parent)
    : QObject(parent), m_link(link), m_open(open), m_refresh(refresh)
{
    m_review.setSingleShot(true);
    m_review.setInterval(0);
    const auto reviewSoon = [this] {
        if (!m_directories.empty())
            m_review.start();
    };
    connect(&m_review, &QTimer::timeout, this, &Observer::review);
    connect(&m_open, &OpenDirectories::mayHaveChanged, this, reviewSoon);
    connect(&m_link, &HostLink::connected, this, &Observer::reviewAnew);
    connect(&m_link, &HostLink::foldersChanged, this, &Observer::reviewAnew);
    connect(&m_link, &HostLink::gone, this, &Observer::onGone);
    connect(&m_link, &HostLink::reset, this, &Observer::onReset);
    connect(&m_link, &HostLink::badgesChanged, this, &Observer::onBadgesChanged);
    connect(&m_refresh, &RefreshQueue::refresh, this, &Observer::onRefresh);
    connect(&m_requests, &BadgeRequests::due, this, &Observer::requestDue);
}

// What the file manager asks

Directory &Observer::ensureDirectory(const QByteArray &uri, const QUrl &someItem)
{
    const auto [directory, isNew] = m_directories.try_emplace(uri, uri, someItem);
    if (isNew) {
        // At once: Dolphin's turn in which it shows a folder is a long one, during which the service can answer.
        if (m_open.holding(someItem) != OpenDirectories::Answer::closed)
            begin(directory->second);
        m_review.start();
    }
    directory->second.lastAsked = ++m_asked;
    return directory->second;
}

const Badge *Observer::badge(const QUrl &item)
{
    const QByteArray uri = itemUri::canonical(item);
    const QByteArray parent = uri.isEmpty() ? QByteArray() : itemUri::parent(uri);
    if (parent.isEmpty())
        return nullptr;
    Directory &directory = ensureDirectory(parent, item);
    const QByteArray name = itemUri::name(uri);
    const auto [entry, isNew] = directory.ensure(name, item);
    if (isNew && directory.state == Directory::State::observed)
        m_requests.schedule();
    return &entry->badge;
}

// Observing

/** Begins and ends what the windows show now. */
void Observer::review()
{
    for (auto next = m_directories.begin(); next != m_directories.end();) {
        const auto current = next++;
        Directory &directory = current->second;
        if (m_open.holding(directory.someItem) != OpenDirectories::Answer::closed) {
            begin(directory);
            continue;
        }
        if (directory.state != Directory::State::unobserved) {
            m_link.send(QStringLiteral("EndObserving"), { QString::fromLatin1(directory.uri) });
            leave(directory);
        }
        m_directories.erase(current);
    }
    while (m_directories.size() > directoriesOnSuspicion
           && m_open.holding(m_directories.begin()->second.someItem) == OpenDirectories::Answer::unknown)
        endOldest();
}

/** The service came, or has other folders. */
void Observer::reviewAnew()
{
    for (auto &[uri, directory] : m_directories)
        directory.isRefused = false;
    if (!m_directories.empty())
        m_review.start();
}

void Observer::endOldest()
{
    auto oldest = m_directories.begin();
    for (auto candidate = oldest; candidate != m_directories.end(); ++candidate) {
        if (candidate->second.lastAsked < oldest->second.lastAsked)
            oldest = candidate;
    }
    if (oldest->second.state != Directory::State::unobserved) {
        m_link.send(QStringLiteral("EndObserving"), { QString::fromLatin1(oldest->first) });
        leave(oldest->second);
    }
    m_directories.erase(oldest);
}

/** A symbolic link or a second mount may lead into a registered folder, which the service knows: it is asked once. */
bool Observer::mayBeMonitored(const Directory &directory) const
{
    const Folders &folders = m_link.folders();
    return folders.mayMonitor(directory.uri) || (!directory.isRefused && !folders.isEmpty());
}

void Observer::begin(Directory &directory)
{
    if (directory.state != Directory::State::unobserved || !m_link.isConnected() || !mayBeMonitored(directory))
        return;
    directory.state = Directory::State::beginning;
    directory.requested = 0;
    directory.generation = ++m_generation;
    m_link.call(QStringLiteral("BeginObserving"), { QString::fromLatin1(directory.uri) }, QStringLiteral("ba{sv}"),
        [this, uri = directory.uri, generation = directory.generation](const HostReply &reply) {
            if (Directory *begun = find(uri, generation))
                onBegun(*begun, reply);
        });
}

void Observer::onBegun(Directory &directory, const HostReply &reply)
{
    if (reply.isError())
        qCDebug(logObserver) << "BeginObserving" << directory.uri << reply.errorText;
    directory.isRefused = reply.isError() || !reply.arguments[0].toBool();
    if (directory.isRefused) {
        leave(directory);
        return;
    }
    directory.state = Directory::State::observed;
    m_requests.askAtOnce();
}

/** The observed directory, or null if that observation is over. */
Directory *Observer::find(const QByteArray &uri, quint64 generation)
{
    const auto directory = m_directories.find(uri);
    if (directory == m_directories.end() || directory->second.state == Directory::State::unobserved
        || directory->second.generation != generation)
        return nullptr;
    return &directory->second;
}

/** The observation is over, and so is everything known through it. */
void Observer::leave(Directory &directory)
{
    directory.state = Directory::State::unobserved;
    for (auto &[name, entry] : directory.entries)
        forget(entry);
}

// Badges

void Observer::forget(DirectoryEntry &entry)
{
    const bool showed = !entry.badge.isNone();
    entry.badge = {};
    if (showed)
        refresh(entry);
}

/** Most items without a badge are gone, which nobody says, and the service keeps something for each that it is asked
 * about. The file manager, told that they changed, asks again about those that it still has. */
void Observer::forgetUnbadged(Directory &directory)
{
    const QList<QUrl> forgotten = directory.forgetUnbadged();
    for (const QUrl &item : forgotten)
        m_refresh.add(item);
}

void Observer::refresh(DirectoryEntry &entry)
{
    if (entry.isChanged)
        return;
    entry.isChanged = true;
    m_refresh.add(entry.url);
}

void Observer::onRefresh(const QUrl &item)
{
    const QByteArray uri = itemUri::canonical(item);
    const auto directory = m_directories.find(itemUri::parent(uri));
    DirectoryEntry *entry = directory == m_directories.end() ? nullptr : directory->second.find(itemUri::name(uri));
    if (entry != nullptr)
        entry->isChanged = false;
    Q_EMIT changed(item, entry == nullptr ? nullptr : &entry->badge);
}

void Observer::apply(Directory &directory, const QByteArray &name, const Badge &badge)
{
    DirectoryEntry *entry = directory.find(name);
    if (entry == nullptr)
        return;
    const bool looksDifferent = !entry->badge.looksLike(badge);
    entry->badge = badge;
    if (looksDifferent)
        refresh(*entry);
}

void Observer::requestDue()
{
    for (auto &[uri, directory] : m_directories) {
        if (directory.state == Directory::State::observed && directory.hasUnrequested())
            request(directory);
    }
}

void Observer::request(Directory &directory)
{
    const QByteArrayList names = BadgeRequests::nextNames(directory);
    if (directory.hasUnrequested())
        m_requests.schedule();
    QStringList segments;
    segments.reserve(names.size());
    for (const QByteArray &name : names)
        segments.append(QString::fromLatin1(name));
    m_link.call(QStringLiteral("RequestBadges"), { QString::fromLatin1(directory.uri), segments },
        QStringLiteral("asauaya{sv}"),
        [this, names, uri = directory.uri, generation = directory.generation](const HostReply &reply) {
            Directory *asked = find(uri, generation);
            if (asked == nullptr)
                return;
            const auto columns = BadgeColumns::fromArguments(reply.arguments, 0, int(names.size()));
            if (!columns) {
                // It says nothing about the items: what is known of them stays.
                qCDebug(logObserver) << "RequestBadges" << uri << reply.errorText;
                return;
            }
            for (int row = 0; row < int(names.size()); row++)
                apply(*asked, names[row], columns->at(row));
        });
}

void Observer::onBadgesChanged(const QByteArray &directoryUri, const QStringList &names, const BadgeColumns &columns)
{
    const auto directory = m_directories.find(directoryUri);
    if (directory == m_directories.end() || directory->second.state != Directory::State::observed)
        return;
    for (int row = 0; row < int(names.size()); row++)
        apply(directory->second, names[row].toLatin1(), columns.at(row));
}

void Observer::refreshBadged()
{
    for (auto &[uri, directory] : m_directories) {
        for (auto &[name, entry] : directory.entries) {
            if (!entry.badge.isNone())
                refresh(entry);
        }
    }
}

// The service

void Observer::onGone()
{
    for (auto &[uri, directory] : m_directories) {
        if (directory.state != Directory::State::unobserved)
            leave(directory);
    }
}

/** The service has ended every observation whose Begin it answered before this. One whose answer is still to come
 * counts. */
void Observer::onReset()
{
    for (auto &[uri, directory] : m_directories) {
        if (directory.state != Directory::State::observed)
            continue;
        directory.state = Directory::State::unobserved;
        forgetUnbadged(directory);
        begin(directory);
        if (directory.state == Directory::State::unobserved)
            leave(directory);
    }
}
} // namespace roundel
