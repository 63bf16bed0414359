plan t::catalog_lookup_missing() { return lookup('nope') }
