plan t::download_traversal() { download_file('/etc/hostname', '../x', 'a.example.com') }
