define m::d_wrongcase(
  M::Wrongcase $x = 1,
) {
  notice($x)
}
