plan t::target_new() {
  $a = Target.new('new.example.com')
  out::message("${a.name} ${a.uri} ${a.vars} ${a.transport}")
  $b = Target.new({ 'name' => 'named', 'uri' => 'ssh://u:p@host.example.com:2222', 'vars' => { 'x' => 1 }, 'facts' => { 'f' => 2 }, 'features' => ['shell'] })
  out::message("${b.name} ${b.uri} ${b.vars} ${b.facts} ${b.features}")
  out::message("${b.host} ${b.port} ${b.user} ${b.password} ${b.protocol} ${b.transport}")
  out::message(get_targets('all').map |$t| { $t.name })
  $c = Target('other.example.com')
  out::message($c.name)
  return [$a, $b, $c]
}
