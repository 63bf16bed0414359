class gamma {
  notify { 'gamma': message => [owner(), [1].map |$x| { owner() }, gamma::puppet(), gamma::ruby(), template('gamma/t.erb'), epp('gamma/t.epp'), inline_template('<%= scope.call_function("owner", []) %>'), inline_epp('<%= owner() %>'), call('owner')] }
}
