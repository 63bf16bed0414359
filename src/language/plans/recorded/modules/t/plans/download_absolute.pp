plan t::download_absolute() { download_file('/etc/hostname', '/tmp/x', 'a.example.com') }
