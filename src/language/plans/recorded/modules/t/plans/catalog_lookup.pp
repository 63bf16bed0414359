plan t::catalog_lookup() { return lookup('nope', 'default_value' => 'x') }
