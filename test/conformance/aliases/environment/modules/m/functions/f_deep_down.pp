function m::f_deep_down(M::Deep::Down $x) >> M::Deep::Down {
  $x
}
