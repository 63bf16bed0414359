plan t::plan_scope_inner() { return $x }
