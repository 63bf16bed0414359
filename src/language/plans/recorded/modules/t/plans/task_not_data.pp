plan t::task_not_data() { run_task('t', 'web', { 'x' => Integer }) }
