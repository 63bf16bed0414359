plan t::division() { return 1 / 0 }
