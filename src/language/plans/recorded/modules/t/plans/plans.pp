plan t::plans() {
  $a = run_plan('t::sub::adder', 'x' => 1, 'y' => 2)
  out::message($a)
  $b = run_plan('t', 'b.example.com', 'text' => 'nested')
  out::message($b.first['stdout'])
  $c = run_plan('t::fail', '_catch_errors' => true)
  out::message($c)
  out::message($c.kind)
  return $a
}
