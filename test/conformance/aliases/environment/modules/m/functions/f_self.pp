function m::f_self(M::Self $x) >> M::Self {
  $x
}
