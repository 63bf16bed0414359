plan t::target_new_empty() { return Target.new({}) }
