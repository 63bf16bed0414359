define m::r($carried) {
  notify { "r-${title}": message => "c=${carried}" }
}
