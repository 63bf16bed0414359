plan t::command_more() {
  $r = run_command('echo hi', ['a.example.com', 'b.example.com'])
  out::message(type($r))
  out::message(type($r.first))
  out::message(type($r.first.target))
  out::message(type($r, 'generalized'))
  out::message($r.first == $r.first)
  out::message($r.first == $r[1])
  out::message($r == $r.ok_set)
  out::message($r.error_set.empty)
  return $r
}
