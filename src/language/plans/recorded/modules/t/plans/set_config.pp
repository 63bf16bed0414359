plan t::set_config() {
  $t = get_target('x.example.com')
  set_config($t, ['ssh', 'port'], 22)
  return $t.config
}
