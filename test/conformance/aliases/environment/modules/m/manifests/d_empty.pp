define m::d_empty(
  M::Empty $x = 1,
) {
  notice($x)
}
