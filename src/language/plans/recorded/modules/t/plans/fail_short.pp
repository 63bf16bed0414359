plan t::fail_short() { fail_plan('it broke') }
