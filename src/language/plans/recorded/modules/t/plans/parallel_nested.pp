plan t::parallel_nested() {
  return parallelize(['a', 'b']) |$x| {
    $in = parallelize([1, 2]) |$y| { run_command("echo ${x}${y}", 'a.example.com').first['stdout'] }
    $in + run_plan('t::sub::adder', 'x' => 1, 'y' => 1)
  }
}
