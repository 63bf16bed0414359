function m::f_other(M::Other $x) >> M::Other {
  $x
}
