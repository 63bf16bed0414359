class m::c_many(M::Many $x = 1) {
  notice($x)
}
