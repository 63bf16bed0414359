plan t::plan_inner_error() { run_plan('t::division') }
