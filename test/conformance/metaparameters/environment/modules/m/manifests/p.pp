define m::p($carried = 1) {
  notify { "p-${title}": message => "c=${carried}" }
}
