plan t::background() {
  $f = background('mine') || { run_command('echo bg', 'a.example.com').first['stdout'] }
  out::message(type($f))
  $g = background() || { 'quick' }
  $r = wait([$f, $g])
  out::message($f.state)
  return $r
}
