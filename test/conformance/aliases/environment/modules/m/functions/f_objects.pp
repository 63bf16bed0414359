function m::f_objects(M::Objects $x) >> M::Objects {
  $x
}
