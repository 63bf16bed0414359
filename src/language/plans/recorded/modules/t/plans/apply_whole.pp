plan t::apply_whole() {
  $e = catch_errors() || { apply('localhost') { fail('x') } }
  return $e
}
