class m::c_class(M::Class $x = 1) {
  notice($x)
}
