plan t::plan_scope() {
  $x = 100
  return run_plan('t::plan_scope_inner')
}
