class m::c_good(M::Good $x = 1) {
  notice($x)
}
