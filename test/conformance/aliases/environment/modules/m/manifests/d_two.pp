define m::d_two(
  M::Two $x = 1,
) {
  notice($x)
}
