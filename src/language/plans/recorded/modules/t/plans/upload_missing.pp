plan t::upload_missing() { upload_file('t/none.sh', '/tmp/x', 'a.example.com') }
