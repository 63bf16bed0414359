plan t::parallel_empty() { return parallelize([]) |$x| { 1 } }
