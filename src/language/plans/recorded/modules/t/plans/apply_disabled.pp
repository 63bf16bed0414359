plan t::apply_disabled() {
  return apply('localhost', '_catch_errors' => true) { run_command('id', 'localhost') }.first.error.message
}
