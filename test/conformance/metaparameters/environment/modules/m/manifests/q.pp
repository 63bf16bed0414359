class m::q($carried = 1) {
  notify { "q": message => "c=${carried}" }
}
