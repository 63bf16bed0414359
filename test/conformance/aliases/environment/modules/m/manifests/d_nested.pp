define m::d_nested(
  M::Nested $x = 1,
) {
  notice($x)
}
