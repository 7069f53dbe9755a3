/*
 * A host that does what it reads, and says what it is told: a line for each.
 *
 * COMMAND TAB ARGUMENT TAB …: show, hide, badge, release, holds, folders, menu
 * KIND TARGET [SELECTION…], activate ID, follow, unfollow. Its argument is the
 * flags.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <roundel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static RoundelMenu *menu;
static RoundelFollower *follower;

static void print_badge(const char *word, const char *path, const RoundelBadge *badge)
{
    printf("%s\t%s", word, path);
    if (badge != NULL) {
        printf("\t%s\t%s\t%u\t%u", badge->identifier, badge->text, badge->flags, badge->progress);
        for (const char *const *icon = badge->icons; *icon != NULL; icon++)
            printf("\t%s", *icon);
    }
    putchar('\n');
}

static void on_badge(RoundelHost *host, const char *path, const RoundelBadge *badge, void *data)
{
    (void)host;
    print_badge(data, path, badge);
}

static void on_change(RoundelHost *host, unsigned int changes, void *data)
{
    (void)data;
    if (changes & ROUNDEL_CHANGE_SERVICE)
        printf("connected\t%d\n", roundel_host_is_connected(host));
    if (!roundel_host_is_connected(host) && *roundel_host_get_folders(host) != NULL)
        puts("folders-of-nobody");
    if (changes & ROUNDEL_CHANGE_FOLDERS)
        puts("folders-changed");
    if (changes & ROUNDEL_CHANGE_MENUS)
        puts("menus-changed");
    if (changes & ROUNDEL_CHANGE_TOOLBAR)
        printf(
            "toolbar\t%s\t%s\n", roundel_host_get_toolbar_item(host)->name, roundel_host_get_toolbar_item(host)->icon);
}

static void on_action(
    RoundelHost *host, const char *item, RoundelOutcome outcome, const char *message, const char *clipboard, void *data)
{
    (void)host, (void)data;
    printf("ended\t%s\t%d\t%s\t%s\n", item, (int)outcome, message, clipboard == NULL ? "" : clipboard);
}

static void on_attributes(RoundelHost *host, const char *path, const RoundelAttribute *const *attributes, void *data)
{
    (void)host, (void)data;
    printf("attributes\t%s", path);
    for (; *attributes != NULL; attributes++)
        printf("\t%s=%s", (*attributes)->name, (*attributes)->value);
    putchar('\n');
}

static void print_items(const RoundelMenuItem *const *items)
{
    for (; *items != NULL; items++) {
        const RoundelMenuItem *item = *items;
        printf("\t%s", item->is_separator ? "-" : item->label);
        if (item->check != ROUNDEL_CHECK_NONE)
            printf("%s", item->check == ROUNDEL_CHECK_ON ? " on" : " off");
        if (!item->is_enabled)
            printf(" disabled");
        if (*item->children != NULL) {
            printf("\t{");
            print_items(item->children);
            printf("\t}");
        }
    }
}

/* The menu is kept until the next one is asked for. */
static void find_menu(RoundelHost *host, char **words)
{
    size_t count = 0;
    while (words[2] != NULL && words[3 + count] != NULL)
        count++;
    roundel_menu_free(menu);
    const char *target = words[2] == NULL || *words[2] == '\0' ? NULL : words[2];
    menu = roundel_host_find_menu(host, (RoundelMenuKind)atoi(words[1]), target, (const char *const *)words + 3, count);
    if (menu == NULL) {
        printf("menu\t%s\n", errno == 0 ? "unknown" : strerrorname_np(errno));
        return;
    }
    printf("menu\tknown");
    print_items(roundel_menu_get_items(menu));
    putchar('\n');
}

static void print_folders(RoundelHost *host)
{
    printf("folders");
    for (const char *const *folder = roundel_host_get_folders(host); *folder != NULL; folder++)
        printf("\t%s", *folder);
    putchar('\n');
}

static void print_status(const char *command, int status)
{
    printf("%s\t%s\n", command, status == 0 ? "0" : strerrorname_np(errno));
}

static void obey(RoundelHost *host, char **words)
{
    const char *command = words[0];
    const char *path = words[1];
    if (strcmp(command, "show") == 0) {
        print_status(command, roundel_host_show(host, path));
    } else if (strcmp(command, "hide") == 0) {
        print_status(command, roundel_host_hide(host, path));
    } else if (strcmp(command, "release") == 0) {
        print_status(command, roundel_host_release(host, path));
    } else if (strcmp(command, "badge") == 0) {
        print_badge("now", path, roundel_host_get_badge(host, path));
    } else if (strcmp(command, "holds") == 0) {
        printf("holds\t%s\t%d\n", path, roundel_host_holds(host, path));
    } else if (strcmp(command, "folders") == 0) {
        print_folders(host);
    } else if (strcmp(command, "menu") == 0) {
        find_menu(host, words);
    } else if (strcmp(command, "activate") == 0) {
        print_status(command, roundel_host_activate(host, menu, path, "token", 7, "x11:2a"));
    } else if (strcmp(command, "follow") == 0) {
        follower = roundel_host_follow(host, path, on_attributes, NULL);
        print_status(command, follower == NULL ? -1 : 0);
    } else if (strcmp(command, "unfollow") == 0) {
        roundel_host_unfollow(host, follower);
    }
}

static void read_command(RoundelHost *host)
{
    static char *line;
    static size_t size;
    char *words[32] = { NULL };
    if (getline(&line, &size, stdin) < 0) {
        roundel_menu_free(menu);
        roundel_host_free(host);
        free(line);
        exit(EXIT_SUCCESS);
    }
    line[strcspn(line, "\n")] = '\0';
    char *rest = line;
    for (size_t i = 0; rest != NULL && i < sizeof words / sizeof *words - 1; i++)
        words[i] = strsep(&rest, "\t");
    obey(host, words);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    RoundelHost *host = roundel_host_new(argc > 1 ? (unsigned int)atoi(argv[1]) : 0);
    if (host == NULL) {
        printf("no-host\t%s\n", strerrorname_np(errno));
        return EXIT_FAILURE;
    }
    roundel_host_on_badge(host, on_badge, "badge");
    roundel_host_on_change(host, on_change, NULL);
    roundel_host_on_action(host, on_action, NULL);
    struct pollfd wanted[] = {
        { .fd = STDIN_FILENO, .events = POLLIN },
        { .fd = roundel_host_get_fd(host), .events = POLLIN },
    };
    while (poll(wanted, 2, -1) > 0) {
        if (wanted[1].revents != 0 && roundel_host_dispatch(host) != 0) {
            print_status("lost", -1);
            roundel_menu_free(menu);
            roundel_host_free(host);
            return EXIT_SUCCESS;
        }
        if (wanted[0].revents != 0)
            read_command(host);
    }
    return EXIT_FAILURE;
}
