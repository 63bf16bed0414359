plan t::return_target() { return [get_target('c.example.com'), get_targets('front')] }
