define m::d_other(
  M::Other $x = 1,
) {
  notice($x)
}
