plan t::background_fails() {
  $f = background() || { fail_plan('oops', 'my/kind') }
  $g = background() || { 3 }
  $r = wait([$f, $g], '_catch_errors' => true)
  out::message($r)
  wait($f)
}
