class m::c_nested(M::Nested $x = 1) {
  notice($x)
}
