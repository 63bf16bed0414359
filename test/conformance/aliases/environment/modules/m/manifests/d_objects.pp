define m::d_objects(
  M::Objects $x = 1,
) {
  notice($x)
}
