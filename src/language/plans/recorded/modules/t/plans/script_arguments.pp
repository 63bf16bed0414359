plan t::script_arguments() { run_script('t/hello.sh', 'a.example.com', 'arguments' => 'x') }
