class delta {
  notify { 'delta': message => [owner(), [1].map |$x| { owner() }, delta::puppet(), delta::ruby(), template('delta/t.erb'), epp('delta/t.epp'), inline_template('<%= scope.call_function("owner", []) %>'), inline_epp('<%= owner() %>'), call('owner')] }
}
