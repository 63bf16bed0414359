function m::f_good(M::Good $x) >> M::Good {
  $x
}
