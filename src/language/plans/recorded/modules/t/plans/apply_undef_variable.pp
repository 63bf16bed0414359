plan t::apply_undef_variable() {
  return apply('localhost') { notify { "x${nonesuch}": } }.first.message
}
