plan t::return_data() {
  return({ 'a' => [1, 2.5, true, undef, 'x', 1.0, 1e20], 'b' => { 'c' => {} } })
}
