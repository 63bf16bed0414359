function m::f_upto(M::Upto $x) >> M::Upto {
  $x
}
