plan t::background_sees() {
  $x = 1
  $f = background() || { $y = $x + 1 run_command('true', 'a.example.com') "${x} ${y}" }
  $z = 3
  return wait($f)
}
