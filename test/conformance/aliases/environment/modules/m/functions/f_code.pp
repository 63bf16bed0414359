function m::f_code(M::Code $x) >> M::Code {
  $x
}
