plan t::command_caught() {
  $r = run_command('test $BOLT_TEST = 1; exit 3', 'a.example.com', '_catch_errors' => true, '_env_vars' => { 'BOLT_TEST' => 1 })
  out::message($r.ok)
  out::message($r.error_set.names)
  out::message($r.ok_set.names)
  out::message($r.first.error.msg)
  out::message($r.first.error.kind)
  out::message($r.first.error.details)
  out::message("${r.first.error}")
  out::message($r.first.error)
  return $r
}
