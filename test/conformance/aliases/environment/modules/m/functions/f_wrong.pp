function m::f_wrong(M::Wrong $x) >> M::Wrong {
  $x
}
