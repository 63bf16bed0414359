plan t::command_none() {
  $r = run_command('echo hi', [])
  out::message($r)
  out::message("${r.ok} ${r.count} ${r.first}")
  return $r
}
