#include "tb/explain/budget.hpp"
