plan t::plan_nodes(TargetSpec $nodes = 'a.example.com', Optional[TargetSpec] $targets = undef) { return $nodes }
