plan t::return_type() { return Integer }
