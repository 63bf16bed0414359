plan t::plan_needs_caller() { run_plan('t::plan_needs', 'b' => 'x') }
