plan t::plan_bad_parameter() { run_plan('t::sub::adder', 'x' => 'no') }
