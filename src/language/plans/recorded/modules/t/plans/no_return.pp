plan t::no_return() {
  $x = 1
  $x + 1
}
