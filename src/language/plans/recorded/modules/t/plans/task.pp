plan t::task() {
  $r = run_task('t::echo', 'web', { 'message' => 'hello' })
  out::message($r.first.value)
  out::message($r.first.message)
  $s = run_task('t::echo', 'web', 'described', 'message' => 'again', 'number' => 3)
  out::message($s.first.value)
  $u = run_task('t', 'a.example.com')
  return $u
}
