# What the two nodes export and collect; nothing outside of this directory is touched.
$place = '/tmp/bunraku-puppetdb-peers'

define peer($port, $options = {}) {
  notify { "peer ${title}": message => "${port} ${options}" }
}

node 'a.example.net' {
  @@file { "${place}/shared":
    ensure  => file,
    content => "exported by ${trusted['certname']}\n",
    mode    => '0644',
    tag     => 'shared',
  }
  @@peer { 'a.example.net': port => 80, options => { 'weight' => 1.5, 'flags' => [true, undef, 'x'] }, tag => ['Peers', 'web'] }
  @@notify { 'a says': message => 'hello', before => Notify['collected'], loglevel => 'warning' }
  @@user { 'nobody-here': noop => true, password => Sensitive('secret'), tag => 'people' }
  Peer <<| |>>
}

node 'b.example.net' {
  @@peer { 'b.example.net': port => 81, tag => 'peers' }
  notify { 'collected': }
  file { $place: ensure => directory }
  File <<| tag == 'shared' |>> { mode => '0600', require => File[$place] }
  Peer <<| port != 82 and tag == 'peers' |>>
  Notify <<| title == 'a says' or message == 'nothing' |>>
  $known = puppetdb_query('nodes[certname] { certname ~ "^a" }').map |$node| { $node['certname'] }
  $exported = puppetdb_query(['from', 'resources',
    ['extract', ['certname', 'type', 'title', 'parameters'], ['=', 'exported', true]],
    ['order_by', ['certname', 'type', 'title']]])
  $facts_of_a = puppetdb_query("facts[name, value] { certname = 'a.example.net' and name in ['kernel', 'is_virtual'] order by name }")
  notify { 'known': message => $known }
  notify { 'exported': message => $exported }
  notify { 'facts of a': message => $facts_of_a }
}
