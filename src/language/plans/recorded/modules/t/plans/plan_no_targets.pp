plan t::plan_no_targets() { run_plan('t::sub::adder', 'web') }
