function m::f_params(M::Params $x) >> M::Params {
  $x
}
