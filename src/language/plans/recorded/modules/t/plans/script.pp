plan t::script() {
  $r = run_script('t/hello.sh', 'a.example.com', 'arguments' => ['x', 'y z'])
  out::message($r.first['stdout'])
  $s = run_script('t/files/hello.sh', 'a.example.com', 'say hello')
  return $s
}
