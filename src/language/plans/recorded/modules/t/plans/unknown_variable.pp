plan t::unknown_variable() { out::message("x${nope}") }
