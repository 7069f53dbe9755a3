#include "refresh-queue.h"

#include <QElapsedTimer>

namespace roundel
{
static constexpr qint64 sliceMilliseconds = 4;

RefreshQueue::RefreshQueue(QObject *parent) : QObject(parent)
{
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &RefreshQueue::refreshSlice);
}

void RefreshQueue::add(const QUrl &item)
{
    m_items.append(item);
    if (!m_timer.isActive())
        m_timer.start();
}

void RefreshQueue::refreshSlice()
{
    QElapsedTimer elapsed;
    elapsed.start();
    while (m_next < m_items.size() && elapsed.elapsed() < sliceMilliseconds) {
        const QUrl item = m_items[m_next++];
        Q_EMIT refresh(item);
    }
    if (m_next == m_items.size()) {
        m_timer.stop();
        m_items.clear();
        m_next = 0;
    }
}
} // namespace roundel
