class m::c_unknown(M::Unknown $x = 1) {
  notice($x)
}
