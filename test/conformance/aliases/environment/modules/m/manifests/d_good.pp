define m::d_good(
  M::Good $x = 1,
) {
  notice($x)
}
