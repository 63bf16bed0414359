plan t::apply_empty() {
  return apply('localhost', '_catch_errors' => true) { }.map |$r| { [$r.error, $r.message] }
}
