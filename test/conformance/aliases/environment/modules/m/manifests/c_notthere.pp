class m::c_notthere(M::NotThere $x = 1) {
  notice($x)
}
