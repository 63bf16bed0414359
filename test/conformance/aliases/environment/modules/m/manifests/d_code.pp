define m::d_code(
  M::Code $x = 1,
) {
  notice($x)
}
