plan t::background_wait_inside() {
  $f = background() || { wait() }
  return wait($f, '_catch_errors' => true)
}
