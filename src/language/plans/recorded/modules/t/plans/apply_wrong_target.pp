plan t::apply_wrong_target() {
  return apply(7) { notify { 'x': } }
}
