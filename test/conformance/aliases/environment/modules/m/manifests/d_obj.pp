define m::d_obj(
  M::Obj $x = 1,
) {
  notice($x)
}
