plan t::evaluation_in_catch() {
  $r = catch_errors() || { 1 / 0 }
  return $r
}
