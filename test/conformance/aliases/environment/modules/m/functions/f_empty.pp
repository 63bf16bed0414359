function m::f_empty(M::Empty $x) >> M::Empty {
  $x
}
