function m::f_many(M::Many $x) >> M::Many {
  $x
}
