class m::c_more(M::More $x = 1) {
  notice($x)
}
