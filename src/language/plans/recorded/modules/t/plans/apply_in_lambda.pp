plan t::apply_in_lambda() {
  $outer = 'o'
  return ['a', 'b'].map |$each| {
    $inner = upcase($each)
    apply('localhost') { notify { "${outer}${each}${inner}": } }.first.report['resource_statuses'].keys.sort
  }
}
