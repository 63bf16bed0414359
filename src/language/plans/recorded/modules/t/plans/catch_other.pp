plan t::catch_other() {
  $r = catch_errors(['other/kind']) || { fail_plan('inner', 'my/kind') }
  return $r
}
