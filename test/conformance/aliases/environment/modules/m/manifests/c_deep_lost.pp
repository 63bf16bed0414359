class m::c_deep_lost(M::Deep::Lost $x = 1) {
  notice($x)
}
