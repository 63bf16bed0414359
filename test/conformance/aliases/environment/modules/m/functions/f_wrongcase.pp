function m::f_wrongcase(M::Wrongcase $x) >> M::Wrongcase {
  $x
}
