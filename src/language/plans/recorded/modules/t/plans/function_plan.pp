plan t::function_plan() { return t::runs('a.example.com').ok }
