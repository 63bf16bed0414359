plan t::background_all() {
  background() || { run_command('true', 'a.example.com') out::message('first done') 1 }
  background() || { 2 }
  return wait()
}
