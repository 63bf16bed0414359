define m::d_notthere(
  M::NotThere $x = 1,
) {
  notice($x)
}
