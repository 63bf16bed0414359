plan t::command_wrong_target() { run_command('x', 3) }
