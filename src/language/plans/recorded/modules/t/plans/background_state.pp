plan t::background_state() {
  $f = background() || { run_command('sleep 0.3', 'a.example.com') fail_plan('x') }
  out::message($f.state)
  $r = catch_errors() || { wait($f) }
  out::message($f.state)
  return $r.kind
}
