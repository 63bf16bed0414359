plan t::apply_sensitive() {
  $s = Sensitive('secret')
  $r = apply('localhost') { notify { 'x': message => $s } }.first
  return [$r.message, $r.catalog['resources'].filter |$x| { $x['type'] == 'Notify' }.map |$x| { [$x['parameters'], $x['sensitive_parameters']] }]
}
