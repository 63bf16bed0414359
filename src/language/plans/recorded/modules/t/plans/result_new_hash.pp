plan t::result_new_hash() {
  return Result.new({ 'target' => get_target('a.example.com'), 'value' => { 'a' => 1 } })
}
