function m::f_enum(M::Enum $x) >> M::Enum {
  $x
}
