plan t::parallel_catch() {
  $r = parallelize(['a', 'b']) |$x| {
    $c = catch_errors() || { run_command("echo ${x}; exit 1", 'a.example.com') }
    out::message("${x} ${c.kind}")
    $d = run_plan('t::fail', '_catch_errors' => true)
    $n = run_plan('t::parallel_inner', 'x' => $x)
    [$d.kind, $n]
  }
  return $r
}
