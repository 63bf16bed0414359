plan t::apply_ok() {
  $who = 'world'
  $n = 3
  $nothing = undef
  $list = [1, 'a', {'k' => true}]
  $results = apply('localhost', '_description' => 'the block') {
    notify { "hello ${who} ${n} ${list} ${nothing}": }
    include t
  }
  $r = $results.first
  $catalog = $r.catalog['resources'].map |$x| { "${x['type']}[${x['title']}]" }
  $all = { 'ok' => $results.ok, 'message' => $r.message, 'action' => $r.action,
    'status' => $r.report['status'], 'keys' => $r.value.keys, 'resources' => $r.report['resource_statuses'].keys.sort,
    'catalog' => $catalog, 'error' => $r.error, 'data_keys' => $r.to_data.keys, 'shown' => $r.to_data['value']['_sensitive'] }
  return $all
}
