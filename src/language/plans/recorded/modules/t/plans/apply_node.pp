plan t::apply_node() {
  return apply('localhost') {
    notify { 'outside': }
    node default { notify { 'default': } }
    node localhost { notify { 'by name': } }
  }.first.report['resource_statuses'].keys.sort
}
