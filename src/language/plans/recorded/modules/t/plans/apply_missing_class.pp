plan t::apply_missing_class() {
  return apply('localhost', '_catch_errors' => true) { include nonesuch }.first.error.message
}
