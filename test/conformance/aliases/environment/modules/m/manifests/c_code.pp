class m::c_code(M::Code $x = 1) {
  notice($x)
}
