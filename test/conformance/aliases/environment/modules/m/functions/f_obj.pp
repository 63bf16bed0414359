function m::f_obj(M::Obj $x) >> M::Obj {
  $x
}
