plan t::task_unknown_none() { return run_task('t::nope', []) }
