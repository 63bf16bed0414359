plan t::target_member() { get_target('x.example.com').nothing }
