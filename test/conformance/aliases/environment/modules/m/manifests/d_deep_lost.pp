define m::d_deep_lost(
  M::Deep::Lost $x = 1,
) {
  notice($x)
}
