class m::c_tree(M::Tree $x = 1) {
  notice($x)
}
