plan t::apply_exported() {
  return apply('localhost', '_catch_errors' => true) { @@notify { 'exported': } }.map |$r| { [$r.error, $r.message] }
}
