class m::c_value(M::Value $x = 1) {
  notice($x)
}
