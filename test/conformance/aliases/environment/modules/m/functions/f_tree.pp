function m::f_tree(M::Tree $x) >> M::Tree {
  $x
}
