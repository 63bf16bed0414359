class alpha {
  notify { 'alpha': message => [owner(), [1].map |$x| { owner() }, alpha::puppet(), alpha::ruby(), template('alpha/t.erb'), epp('alpha/t.epp'), inline_template('<%= scope.call_function("owner", []) %>'), inline_epp('<%= owner() %>'), call('owner')] }
}
