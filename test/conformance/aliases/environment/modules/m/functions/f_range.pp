function m::f_range(M::Range $x) >> M::Range {
  $x
}
