plan t::catch_run() {
  $r = catch_errors(['bolt/run-failure']) || { run_command('exit 3', 'web') }
  out::message($r.msg)
  out::message($r.kind)
  out::message($r.details['action'])
  out::message($r.details['object'])
  out::message($r.details['result_set'].names)
  return $r.details['result_set'].first.error
}
