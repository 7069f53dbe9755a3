#pragma once

/** The argument that has the program of the tests be the one that ends with a plugin in it. */
static constexpr char exitingProgram[] = "--exit-with-a-timer";

/** A program that ends as Dolphin does whose window is closed while badges are being drawn: Qt destroys plugins in an
 * exit handler, after the application and after everything static that was made since the program began. */
int exitWithATimer(int argc, char *argv[]);
