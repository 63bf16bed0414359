class m::c_other(M::Other $x = 1) {
  notice($x)
}
