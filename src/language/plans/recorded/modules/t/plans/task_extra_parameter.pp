plan t::task_extra_parameter() { run_task('t::echo', 'web', { 'message' => 'x', 'nope' => 3 }) }
