function t::runs(TargetSpec $t) { run_command('true', $t) }
