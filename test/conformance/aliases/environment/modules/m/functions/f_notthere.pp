function m::f_notthere(M::NotThere $x) >> M::NotThere {
  $x
}
