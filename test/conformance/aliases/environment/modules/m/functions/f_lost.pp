function m::f_lost(M::Lost $x) >> M::Lost {
  $x
}
