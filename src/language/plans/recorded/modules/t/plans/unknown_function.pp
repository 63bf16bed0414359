plan t::unknown_function() { no_such_function(1) }
