define m::d_value(
  M::Value $x = 1,
) {
  notice($x)
}
