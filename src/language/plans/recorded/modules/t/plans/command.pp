plan t::command() {
  $r = run_command('echo hi; echo oops >&2', ['a.example.com', 'b.example.com', 'a.example.com'])
  out::message($r)
  out::message("${r}")
  out::message("${r.first}")
  out::message($r.first.value)
  out::message($r.first['stdout'])
  out::message($r.first['nothing'])
  out::message("${r.first.target} ${r.first.target.name} ${r.first.target.uri}")
  out::message("${r.ok} ${r.count} ${r.empty} ${r.names} ${r.targets}")
  out::message("${r.first.ok} ${r.first.status} ${r.first.action} ${r.first.message} ${r.first.error}")
  out::message($r.first.to_data)
  out::message($r.to_data)
  out::message($r.find('b.example.com').target.name)
  out::message($r.find('zzz'))
  out::message($r[0].target.name)
  out::message($r[1].target.name)
  out::message($r[0, 1].map |$x| { $x.target.name })
  out::message($r[-1].target.name)
  out::message($r[5])
  out::message($r.map |$x| { $x['exit_code'] })
  $r.each |$x| { out::message("each ${x.target.name}") }
  $r.each |$i, $x| { out::message("each ${i} ${x.target.name}") }
  out::message($r.filter |$x| { $x.target.name =~ /^b/ })
  out::message($r.filter_set |$x| { $x.target.name =~ /^b/ })
  out::message($r.reduce('') |$m, $x| { "${m}${x.target.name}" })
  out::message($r.results.size)
  return $r
}
