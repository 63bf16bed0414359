plan t::available() {
  $r = wait_until_available('web', 'description' => 'wait', 'wait_time' => 1, 'retry_interval' => 1)
  return $r
}
