define m::d_wrong(
  M::Wrong $x = 1,
) {
  notice($x)
}
