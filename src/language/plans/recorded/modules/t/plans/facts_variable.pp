plan t::facts_variable() { return $facts['os'] }
