plan t::until() {
  $r = ctrl::do_until('limit' => 3) || { out::message('again') false }
  out::message($r)
  $s = ctrl::do_until() || { 'done' }
  out::message($s)
  ctrl::sleep(0.01)
  return $s
}
