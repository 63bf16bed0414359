define m::d_one(
  M::One $x = 1,
) {
  notice($x)
}
