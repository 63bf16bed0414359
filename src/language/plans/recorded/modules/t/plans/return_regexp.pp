plan t::return_regexp() { return({ 'x' => /a/ }) }
