plan t::parallel_vars() {
  $t = get_target('a.example.com')
  parallelize([1, 2]) |$x| {
    run_command('true', 'a.example.com')
    set_var($t, "v${x}", $x)
    run_command('true', 'a.example.com')
    add_facts($t, { "f${x}" => $x })
  }
  return [$t.vars, $t.facts]
}
