class m::c_enum(M::Enum $x = 1) {
  notice($x)
}
