plan t::run_wrong_name() { run_plan('t::wrong_name') }
