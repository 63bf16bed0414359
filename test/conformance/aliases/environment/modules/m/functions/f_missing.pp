function m::f_missing(M::Missing $x) >> M::Missing {
  $x
}
