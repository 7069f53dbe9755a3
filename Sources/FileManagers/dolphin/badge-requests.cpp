#include "badge-requests.h"

#include <chrono>

namespace roundel
{
static constexpr auto pause = std::chrono::milliseconds(50);
static constexpr int page = 2000;

BadgeRequests::BadgeRequests(QObject *parent) : QObject(parent)
{
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    m_pause.setSingleShot(true);
    m_pause.setInterval(pause);
    connect(&m_turn, &QTimer::timeout, this, &BadgeRequests::fire);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_isWanted)
            fire();
    });
}

void BadgeRequests::schedule()
{
    m_isWanted = true;
    if (!m_pause.isActive() && !m_turn.isActive())
        m_turn.start();
}

void BadgeRequests::askAtOnce()
{
    m_isWanted = true;
    if (!m_pause.isActive())
        fire();
}

void BadgeRequests::fire()
{
    m_isWanted = false;
    m_turn.stop();
    m_pause.start();
    Q_EMIT due();
}

QByteArrayList BadgeRequests::nextNames(Directory &directory)
{
    const QByteArrayList names = directory.names.mid(directory.requested, page);
    directory.requested += names.size();
    return names;
}
} // namespace roundel
