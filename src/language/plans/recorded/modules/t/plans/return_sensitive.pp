plan t::return_sensitive() {
  return Sensitive('x')
}
