plan t::resources() {
  $t = get_target('a.example.com')
  $r = set_resources($t, { 'type' => File, 'title' => '/x', 'state' => { 'ensure' => 'present' } })
  out::message($r[0].reference)
  out::message($t.resources)
  return $r[0].state
}
