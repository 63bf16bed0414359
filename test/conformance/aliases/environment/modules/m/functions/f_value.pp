function m::f_value(M::Value $x) >> M::Value {
  $x
}
