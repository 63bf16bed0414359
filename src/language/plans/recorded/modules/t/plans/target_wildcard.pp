plan t::target_wildcard() { get_targets('zz*') }
