class m::c_syntax(M::Syntax $x = 1) {
  notice($x)
}
