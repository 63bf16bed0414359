class m::c_empty(M::Empty $x = 1) {
  notice($x)
}
