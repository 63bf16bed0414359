define m::d_many(
  M::Many $x = 1,
) {
  notice($x)
}
