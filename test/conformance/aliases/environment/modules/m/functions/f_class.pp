function m::f_class(M::Class $x) >> M::Class {
  $x
}
