class m::c($x = 1) {
  notify { 'in-c': message => "c=${carried}" }
 m::d { 'inner': } }
