class m::c_missing(M::Missing $x = 1) {
  notice($x)
}
