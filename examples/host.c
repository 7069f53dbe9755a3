/* The least file manager: shows a directory with the badges of its items, and every change, until it is interrupted. */
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <poll.h>
#include <roundel.h>
#include <stdio.h>
#include <stdlib.h>

static void show_badge(RoundelHost *host, const char *path, const RoundelBadge *badge, void *data)
{
    (void)host, (void)data;
    printf(
        "%s\t%s\t%s\n", path, badge == NULL ? "" : badge->text, badge == NULL || !*badge->icons ? "" : *badge->icons);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    char *directory = realpath(argc > 1 ? argv[1] : ".", NULL);
    DIR *items = directory == NULL ? NULL : opendir(directory);
    if (items == NULL) {
        perror("host");
        return EXIT_FAILURE;
    }
    for (const struct dirent *item; (item = readdir(items)) != NULL;)
        puts(item->d_name);
    closedir(items);

    RoundelHost *host = roundel_host_new(0);
    if (host == NULL) {
        perror("host: no session bus");
        return EXIT_FAILURE;
    }
    roundel_host_on_badge(host, show_badge, NULL);
    roundel_host_show(host, directory);
    struct pollfd poll_for = { .fd = roundel_host_get_fd(host), .events = POLLIN };
    while (poll(&poll_for, 1, -1) > 0 && roundel_host_dispatch(host) == 0) {
    }
    roundel_host_free(host);
    free(directory);
    return EXIT_SUCCESS;
}
