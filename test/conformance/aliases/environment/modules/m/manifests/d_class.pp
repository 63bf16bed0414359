define m::d_class(
  M::Class $x = 1,
) {
  notice($x)
}
