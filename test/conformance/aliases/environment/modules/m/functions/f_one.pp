function m::f_one(M::One $x) >> M::One {
  $x
}
