define m::d_more(
  M::More $x = 1,
) {
  notice($x)
}
