plan t::task_error() {
  return run_task('t::error', 'a.example.com', '_catch_errors' => true)
}
