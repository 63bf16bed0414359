plan t::task_bad_parameter() { run_task('t::echo', 'web', { 'message' => 3 }) }
