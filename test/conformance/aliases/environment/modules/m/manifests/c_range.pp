class m::c_range(M::Range $x = 1) {
  notice($x)
}
