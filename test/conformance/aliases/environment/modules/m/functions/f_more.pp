function m::f_more(M::More $x) >> M::More {
  $x
}
