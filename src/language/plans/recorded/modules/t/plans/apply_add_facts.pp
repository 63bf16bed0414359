plan t::apply_add_facts() {
  $t = get_target('localhost')
  return apply($t, '_catch_errors' => true) { $t.add_facts({'a' => 1}) }.first.error.message
}
