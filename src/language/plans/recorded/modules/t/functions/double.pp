function t::double(Integer $x) { $x * 2 }
