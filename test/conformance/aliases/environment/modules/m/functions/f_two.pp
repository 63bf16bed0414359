function m::f_two(M::Two $x) >> M::Two {
  $x
}
