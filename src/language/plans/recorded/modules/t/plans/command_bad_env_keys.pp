plan t::command_bad_env_keys() { run_command('x', 'a.example.com', '_env_vars' => { 1 => 3 }) }
