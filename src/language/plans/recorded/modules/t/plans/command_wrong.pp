plan t::command_wrong() { run_command(3, 'a.example.com') }
