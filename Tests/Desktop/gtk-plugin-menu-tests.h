#pragma once

void add_menu_tests(void);
