plan t::target_bad_group() { add_to_group('x.example.com', 'nope') }
