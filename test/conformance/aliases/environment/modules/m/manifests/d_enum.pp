define m::d_enum(
  M::Enum $x = 1,
) {
  notice($x)
}
