class m::c_lost(M::Lost $x = 1) {
  notice($x)
}
