plan t::parallel() {
  $r = parallelize([3, 1, 2]) |$x| {
    out::message("start ${x}")
    $c = run_command("echo ${x}", 'a.example.com')
    out::message("end ${c.ok}")
    if $x == 2 { return 'two' }
    $x * 2
  }
  return $r
}
