plan t::plan_needs(String $a, Integer $b) { return $a }
