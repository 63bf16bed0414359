class m::s($x = 1) {
 carrier { 'inclass': }
 notify { 's': carried => 'deep' } }
