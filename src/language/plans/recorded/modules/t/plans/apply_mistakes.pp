plan t::apply_mistakes() {
  return ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { out::message('x') }.first.error.message } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { notify { file::read('t/x.txt'): } }.first.error } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { parallelize([1]) |$y| { 1 } }.first.error.message } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { notify { 'x': bogus => 1 } }.first.error.message } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { notify { 'x': } notify { 'x': } }.first.error.message } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { 1 + 'a' }.first.error.message } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { nonesuch(1) }.first.error.message } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { $x = 1 }.first.error } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { return(1) }.first.error } +
    ['a'].map |$x| { apply('localhost', '_catch_errors' => true) { apply_prep('localhost') }.first.error.message } 
}
