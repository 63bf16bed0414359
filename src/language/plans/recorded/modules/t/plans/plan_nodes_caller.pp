plan t::plan_nodes_caller() { run_plan('t::plan_nodes', 'web') }
