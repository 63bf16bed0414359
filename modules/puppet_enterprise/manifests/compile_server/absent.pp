# Removes the compile server that puppet_enterprise::compile_server installed. Reports and facts that it could not deliver stay in
# /opt/puppetlabs/server/data/bunraku, in case the node becomes a server again. The certificate belongs to the agent and stays.
class puppet_enterprise::compile_server::absent {
  $base = '/opt/bunraku/compile-server'
  $setup = "${base}/current/dist/modules/puppet_enterprise/files/compile-server/setup"

  service { 'bunraku-compile-server':
    ensure => stopped,
    enable => false,
    *      => $puppet_enterprise::profile::master::service_options,
  }

  exec { 'puppet_enterprise: remove the service of the compile server':
    command => "${setup} remove",
    onlyif  => "test -x ${setup}",
    path    => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
    require => Service['bunraku-compile-server'],
  }

  # groups.json holds the groups of all nodes, whose values may be secret.
  file { [
      '/usr/bin/bunraku',
      '/etc/puppetlabs/bunraku/bunraku.conf',
      '/opt/puppetlabs/server/data/bunraku/groups.json',
      $base,
    ]:
      ensure  => absent,
      force   => true,
      backup  => false,
      require => Exec['puppet_enterprise: remove the service of the compile server'],
  }
}
