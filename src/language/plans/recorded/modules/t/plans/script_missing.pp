plan t::script_missing() { run_script('t/none.sh', 'a.example.com') }
