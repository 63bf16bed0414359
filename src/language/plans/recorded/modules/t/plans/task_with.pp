plan t::task_with() {
  $r = run_task_with('t::echo', 'web') |$t| { { 'message' => "for ${t.name}" } }
  out::message($r.map |$x| { $x['message'] })
  $s = run_task_with('t::echo', 'web', '_catch_errors' => true) |$t| {
    if $t.name == 'a.example.com' { 'no hash' } else { { 'message' => 'x' } }
  }
  out::message($s.map |$x| { [$x.target.name, $x.ok] })
  out::message($s.error_set.first.error.msg)
  return $s.count
}
