define m::d_lost(
  M::Lost $x = 1,
) {
  notice($x)
}
