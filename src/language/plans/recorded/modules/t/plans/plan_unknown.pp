plan t::plan_unknown() { run_plan('t::zzz') }
