class m::c_wrongcase(M::Wrongcase $x = 1) {
  notice($x)
}
