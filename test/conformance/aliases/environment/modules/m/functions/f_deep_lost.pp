function m::f_deep_lost(M::Deep::Lost $x) >> M::Deep::Lost {
  $x
}
