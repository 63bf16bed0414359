class m::c_self(M::Self $x = 1) {
  notice($x)
}
