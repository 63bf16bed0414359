plan t::apply_targets() {
  $t = get_target('localhost')
  $t.add_facts({'a' => 1})
  $t.set_var('v', 'w')
  $rs = run_command('echo hi', $t)
  return apply($t, '_catch_errors' => true) {
    notify { "${t.name} ${facts($t)} ${vars($t)} ${rs.first['stdout']}": }
  }.map |$r| { [$r.error, $r.report['resource_statuses'].keys.sort] }
}
