plan t::command_described() {
  return run_command('true', 'a.example.com', 'my description').ok
}
