plan t::task_fails() {
  $r = run_task('t::failing', ['a.example.com', 'c.example.com'], '_catch_errors' => true)
  out::message($r.first.error.msg)
  out::message($r.first.value)
  run_task('t::failing', 'a.example.com')
}
