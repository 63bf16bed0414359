class m::c_wrong(M::Wrong $x = 1) {
  notice($x)
}
