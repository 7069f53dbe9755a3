#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Texts for people, in the language of the program that loads a plugin; in English where there is no translation. A
 * text stands in the source where it is used, and the arguments have their places in it: {1}, {2} and so on, which a
 * translation may put in another order. No text is ever a format of printf(3), whose arguments a translation could
 * choose.
 *
 * What `_` and `n_` return is never freed and stays: glibc unloads no catalogue, and the English text is a literal.
 */
#define _(text) words_translated(text)
/* With a number, which is for choosing alone: what shows it is an argument. */
#define n_(one, other, number) words_counted(one, other, number)

const char *words_translated(const char *text);
const char *words_counted(const char *one, const char *other, unsigned long number);

/* The text with its arguments, at most nine strings and then NULL; to be freed with free() or g_free(). Arguments are
 * not searched for places. A place without an argument stays. */
char *words_filled(const char *text, ...) __attribute__((sentinel));

#ifdef __cplusplus
}
#endif
