plan t::result_new() {
  $t = get_target('a.example.com')
  $r = Result.new($t, { 'a' => 1 })
  out::message($r)
  $s = ResultSet.new([$r, Result.new($t, { '_output' => 'msg', '_error' => { 'msg' => 'm', 'kind' => 'k', 'details' => {} } })])
  out::message($s.ok)
  out::message($s.error_set.first.message)
  return $s
}
