define m::d_upto(
  M::Upto $x = 1,
) {
  notice($x)
}
