function m::f_unknown(M::Unknown $x) >> M::Unknown {
  $x
}
