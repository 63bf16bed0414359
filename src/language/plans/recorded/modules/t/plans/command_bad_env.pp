plan t::command_bad_env() { run_command('x', 'a.example.com', '_env_vars' => 3) }
