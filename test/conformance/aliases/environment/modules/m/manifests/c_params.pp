class m::c_params(M::Params $x = 1) {
  notice($x)
}
