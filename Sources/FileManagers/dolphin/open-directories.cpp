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

static constexpr char aboutDirectories[] = "isUrlOpen";
static constexpr char aboutItems[] = "isItemVisibleInAnyView";

static bool hasQuestion(const QWidget *window, const char *question)
{
    return window->metaObject()->indexOfMethod(QByteArray(question) + "(QString)") >= 0;
}

static bool ask(QWidget *window, const char *question, const QUrl &url)
{
    bool answer = false;
    return QMetaObject::invokeMethod(
               window, question, Qt::DirectConnection, Q_RETURN_ARG(bool, answer), Q_ARG(QString, url.toString()))
           && answer;
}

/** A window that has gone up from a directory keeps a slash at the end of the URL, which then counts as another one.
 * The question about items counts expanded branches, too; older versions do not have it. */
static OpenDirectories::Answer askWindow(QWidget *window, const QUrl &item)
{
    if (!hasQuestion(window, aboutDirectories))
        return OpenDirectories::Answer::unknown;
    const bool isOpen = ask(window, aboutDirectories, item.adjusted(QUrl::RemoveFilename | QUrl::StripTrailingSlash))
                        || ask(window, aboutDirectories, item.adjusted(QUrl::RemoveFilename))
                        || (hasQuestion(window, aboutItems) && ask(window, aboutItems, item));
    return isOpen ? OpenDirectories::Answer::open : OpenDirectories::Answer::closed;
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
