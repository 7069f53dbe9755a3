#include "open-directories.h"

#include <QApplication>
#include <QEvent>
#include <QUrl>
#include <QWidget>

namespace roundel
{
OpenDirectories::OpenDirectories(QObject *parent) : QObject(parent)
{
    QCoreApplication::instance()->installEventFilter(this);
}

static bool ask(QWidget *window, const char *question, const QUrl &url)
{
    bool answer = false;
    QMetaObject::invokeMethod(
        window, question, Qt::DirectConnection, Q_RETURN_ARG(bool, answer), Q_ARG(QString, url.toString()));
    return answer;
}

/** The question about items counts expanded branches, too; older versions have only the one about directories. */
static OpenDirectories::Answer askWindow(QWidget *window, const QUrl &item)
{
    using Answer = OpenDirectories::Answer;
    const QMetaObject *type = window->metaObject();
    if (type->indexOfMethod("isItemVisibleInAnyView(QString)") >= 0)
        return ask(window, "isItemVisibleInAnyView", item) ? Answer::open : Answer::closed;
    if (type->indexOfMethod("isUrlOpen(QString)") >= 0) {
        const QUrl directory = item.adjusted(QUrl::RemoveFilename | QUrl::StripTrailingSlash);
        return ask(window, "isUrlOpen", directory) ? Answer::open : Answer::closed;
    }
    return Answer::unknown;
}

OpenDirectories::Answer OpenDirectories::holding(const QUrl &item)
{
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (QWidget *window : windows) {
        const Answer answer = askWindow(window, item);
        if (answer != Answer::unknown)
            m_canAsk = true;
        if (answer == Answer::open)
            return answer;
    }
    return m_canAsk ? Answer::closed : Answer::unknown;
}

/** A window that shows another directory changes its title, and a tab or pane that is closed is deleted. A branch is
 * collapsed by a key or a click, of which nothing else tells. */
bool OpenDirectories::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::WindowTitleChange:
    case QEvent::Close:
    case QEvent::DeferredDelete:
        if (watched->isWidgetType())
            Q_EMIT mayHaveChanged();
        break;
    case QEvent::MouseButtonRelease:
    case QEvent::KeyRelease:
        Q_EMIT mayHaveChanged();
        break;
    default:
        break;
    }
    return false;
}
} // namespace roundel
