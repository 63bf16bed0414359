class m::c_obj(M::Obj $x = 1) {
  notice($x)
}
