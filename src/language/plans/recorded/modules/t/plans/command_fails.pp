plan t::command_fails() {
  run_command('echo out; exit 3', ['a.example.com', 'b.example.com'])
}
