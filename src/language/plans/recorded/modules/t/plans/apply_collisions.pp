plan t::apply_collisions() {
  $t = get_target('localhost')
  $t.add_facts({'fresh' => 'fact', 'os' => {'family' => 'Plan9'}})
  $t.set_var('fresh', 'variable')
  $t.set_var('only', 'variable')
  $t.set_var('both', 'variable')
  $fresh = 'plan'
  $both = 'plan'
  return apply($t) {
    notify { "${fresh} ${only} ${both} ${facts['os']['family']} ${facts['bolt']} ${trusted['certname']} ${trusted['authenticated']}": }
  }.first.report['resource_statuses'].keys.sort
}
