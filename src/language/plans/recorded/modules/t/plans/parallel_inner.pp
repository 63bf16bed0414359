plan t::parallel_inner(String $x = 'z') {
  $f = background() || { run_command("echo in ${x}", 'a.example.com').first['stdout'] }
  $w = wait($f)
  return $w
}
