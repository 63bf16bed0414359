plan t::task_noop() {
  $r = run_task('t::noop', 'a.example.com', '_noop' => true)
  out::message($r.first.value)
  run_task('t::echo', 'a.example.com', 'message' => 'x', '_noop' => true)
}
