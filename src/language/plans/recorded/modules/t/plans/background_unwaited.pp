plan t::background_unwaited() {
  background() || { run_command('true', 'a.example.com') out::message('late') }
  return 'early'
}
