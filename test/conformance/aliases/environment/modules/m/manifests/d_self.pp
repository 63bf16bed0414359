define m::d_self(
  M::Self $x = 1,
) {
  notice($x)
}
