plan t::task_missing_parameter() { run_task('t::echo', 'web') }
