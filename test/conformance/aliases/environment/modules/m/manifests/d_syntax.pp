define m::d_syntax(
  M::Syntax $x = 1,
) {
  notice($x)
}
