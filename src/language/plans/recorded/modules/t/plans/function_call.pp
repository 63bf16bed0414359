plan t::function_call() { return t::double(4) }
