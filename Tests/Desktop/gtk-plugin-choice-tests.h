#pragma once

void add_choice_tests(void);
