#pragma once

void add_explorer_tests(void);
