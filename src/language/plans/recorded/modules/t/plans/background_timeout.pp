plan t::background_timeout() {
  $f = background('slow') || { run_command('sleep 2', 'a.example.com') run_command('true', 'a.example.com') }
  wait($f, 0.1)
}
