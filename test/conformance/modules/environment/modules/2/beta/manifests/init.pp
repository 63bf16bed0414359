class beta {
  notify { 'beta': message => [owner(), [1].map |$x| { owner() }, beta::puppet(), beta::ruby(), template('beta/t.erb'), epp('beta/t.epp'), inline_template('<%= scope.call_function("owner", []) %>'), inline_epp('<%= owner() %>'), call('owner')] }
}
