plan t::parallel_fails() {
  $r = catch_errors() || {
    parallelize([1, 2, 3]) |$x| {
      if $x == 2 { fail_plan("no ${x}") }
      $x
    }
  }
  out::message($r.msg)
  out::message($r.kind)
  out::message($r.details['failed_indices'])
  parallelize(['a', 'b']) |$x| { fail_plan("no ${x}") }
}
