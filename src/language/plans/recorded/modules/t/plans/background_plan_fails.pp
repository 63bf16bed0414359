plan t::background_plan_fails() {
  $f = background() || { run_plan('t::division') }
  return wait([$f], '_catch_errors' => true)
}
