/* Texts for people: arguments in their places, and English where there is no catalogue. */

#include "words/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(const char *what, const char *found, const char *expected)
{
    if (strcmp(found, expected) == 0)
        return;
    fprintf(stderr, "%s: “%s”, expected “%s”\n", what, found, expected);
    failures++;
}

static void expect_filled(const char *text, const char *first, const char *second, const char *expected)
{
    char *filled = words_filled(text, first, second, NULL);
    expect(text, filled, expected);
    free(filled);
}

int main(void)
{
    setenv("LC_ALL", "C", true);
    expect_filled("{1} of {2}", "3", "5", "3 of 5");
    expect_filled("{2}, {1}, {2}", "a", "b", "b, a, b");
    expect_filled("{1}", "{2}", "x", "{2}");
    expect_filled("{1}{2}{1}", "", "%s%n", "%s%n");
    /* What is no place stays, and nothing is read beyond the end. */
    const char *const others[] = { "", "{", "{1", "{0}", "{3}", "{9}", "{-1}", "{10}", "{ 1}", "}{", "%s %n %d",
        "{\xff}" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *exact = strdup(others[i]); /* on the heap, where a byte too far is noticed */
        expect_filled(exact, "a", "b", others[i]);
        free(exact);
    }
    char *none = words_filled("{1}", NULL);
    expect("without arguments", none, "{1}");
    free(none);

    expect("English", _("Not in any catalogue"), "Not in any catalogue");
    expect("one", n_("one", "other", 1), "one");
    expect("other", n_("one", "other", 2), "other");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
