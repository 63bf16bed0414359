define m::d_tree(
  M::Tree $x = 1,
) {
  notice($x)
}
