define m::d_params(
  M::Params $x = 1,
) {
  notice($x)
}
