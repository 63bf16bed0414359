plan t::script_directory() { run_script('t/folder', 'a.example.com') }
