class m::c_two(M::Two $x = 1) {
  notice($x)
}
