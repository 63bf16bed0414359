class m::c_objects(M::Objects $x = 1) {
  notice($x)
}
