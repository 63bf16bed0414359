plan t(TargetSpec $targets = 'a.example.com', String $text = 'y') {
  return run_command("echo ${text}", $targets)
}
