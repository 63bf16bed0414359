plan t::download_empty() { download_file('/etc/hostname', ' ', 'a.example.com') }
