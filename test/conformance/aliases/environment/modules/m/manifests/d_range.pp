define m::d_range(
  M::Range $x = 1,
) {
  notice($x)
}
