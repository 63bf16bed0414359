plan t::return_in_lambda() {
  [1, 2].each |$x| { return $x }
  return 9
}
