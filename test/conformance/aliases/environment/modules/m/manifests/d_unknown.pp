define m::d_unknown(
  M::Unknown $x = 1,
) {
  notice($x)
}
