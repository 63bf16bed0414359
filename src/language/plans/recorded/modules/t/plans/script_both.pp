plan t::script_both() { run_script('t/hello.sh', 'a.example.com', 'arguments' => ['x'], 'pwsh_params' => {}) }
