function m::f_syntax(M::Syntax $x) >> M::Syntax {
  $x
}
