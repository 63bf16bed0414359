plan t::apply_get_targets() {
  return apply('localhost', '_catch_errors' => true) { $x = get_targets('localhost') }.first.error.message
}
