plan t::apply_parallel() {
  return parallelize(['a', 'b']) |$x| {
    $r = apply('localhost') { notify { "p${x}": } }
    run_command("echo ${x}", 'localhost')
    $r.first.report['resource_statuses'].keys.sort
  }
}
