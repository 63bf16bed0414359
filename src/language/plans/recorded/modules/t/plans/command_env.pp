plan t::command_env() {
  $r = run_command('echo $A $B $C', 'a.example.com', 'say it', '_env_vars' => { 'A' => 1, 'B' => ['x', 2], 'C' => { 'k' => 'v' } })
  return $r.first['stdout']
}
