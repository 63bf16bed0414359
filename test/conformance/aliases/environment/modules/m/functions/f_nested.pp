function m::f_nested(M::Nested $x) >> M::Nested {
  $x
}
