class m::c_one(M::One $x = 1) {
  notice($x)
}
