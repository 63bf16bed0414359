plan t::iteration() {
  $r = [1, 2, 3].map |$x| { if $x == 2 { next('two') } $x }
  $s = [1, 2, 3].each |$x| { if $x == 2 { break() } out::message($x) }
  return $r
}
