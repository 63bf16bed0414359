plan t::without_logging() {
  $r = without_default_logging() || { run_command('true', 'a.example.com') }
  return $r.ok
}
