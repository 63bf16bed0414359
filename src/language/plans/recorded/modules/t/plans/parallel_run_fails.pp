plan t::parallel_run_fails() {
  parallelize(['a', 'b']) |$x| { run_command("exit 1", "${x}.example.com") }
}
