plan t::apply_wrong_option() {
  return apply('localhost', 7) { notify { 'x': } }
}
