plan t::plan_extra_parameter() { run_plan('t::sub::adder', 'z' => 1) }
