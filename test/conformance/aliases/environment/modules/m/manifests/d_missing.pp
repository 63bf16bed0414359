define m::d_missing(
  M::Missing $x = 1,
) {
  notice($x)
}
