plan t::trusted_variable() { return $trusted }
