plan t::task_caught() {
  $e = catch_errors() || { run_task('t::echo', 'web') }
  return $e
}
