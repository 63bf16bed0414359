define m::d($x = 1) {
  notify { "in-${title}": message => "c=${carried}" }
}
