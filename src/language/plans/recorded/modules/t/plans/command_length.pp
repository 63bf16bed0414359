plan t::command_length() { return run_command('true', 'a.example.com').length }
