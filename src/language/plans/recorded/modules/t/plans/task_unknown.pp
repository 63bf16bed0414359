plan t::task_unknown() { run_task('t::nope', 'web') }
