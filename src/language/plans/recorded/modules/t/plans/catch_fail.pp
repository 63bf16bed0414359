plan t::catch_fail() {
  $r = catch_errors() || { fail_plan('inner', 'my/kind', { 'x' => 1 }) }
  out::message("${r.msg} ${r.kind} ${r.details} ${r.message}")
  $s = catch_errors(['other/kind', 'my/kind']) || { fail_plan('second', 'my/kind') }
  out::message(type($s))
  out::message($s =~ Error)
  out::message($s =~ Error['my/kind'])
  $t = catch_errors() || { 42 }
  return [$r, $s, $t]
}
