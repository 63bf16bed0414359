# Every node gets the role that its certificate names.
File {
  owner => 'root',
  group => 'root',
}

Exec {
  path => ['/usr/local/bin', '/usr/bin', '/bin'],
}

node default {
  $role = $trusted.dig('extensions', 'pp_role').lest || { 'base' }
  include "role::${role}"
}
