plan t::other_name() { return 1 }
