class m::c_upto(M::Upto $x = 1) {
  notice($x)
}
