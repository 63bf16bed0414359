class m::c_deep_down(M::Deep::Down $x = 1) {
  notice($x)
}
