plan t::apply_fails_compile() {
  return apply('localhost') { fail('no way') }
}
