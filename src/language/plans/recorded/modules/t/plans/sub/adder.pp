# Adds.
# @param x one
plan t::sub::adder(Integer $x = 10, Integer $y = $x + 5) { return $x + $y }
