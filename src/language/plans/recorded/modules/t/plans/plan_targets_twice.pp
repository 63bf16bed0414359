plan t::plan_targets_twice() { run_plan('t', 'web', 'targets' => 'db') }
