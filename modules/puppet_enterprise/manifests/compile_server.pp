# The program of a compile server, its settings and its service. Declared by puppet_enterprise::profile::master.
class puppet_enterprise::compile_server {
  $profile = 'puppet_enterprise::profile::master'
  $primary = $puppet_enterprise::profile::master::primary
  $sha256 = $puppet_enterprise::profile::master::program_sha256
  $platform = $puppet_enterprise::profile::master::program_platform

  $processor = $facts.dig('os', 'architecture') ? {
    /\A(amd64|x86_64)\z/  => 'x64',
    /\A(arm64|aarch64)\z/ => 'arm64',
    default               => String($facts.dig('os', 'architecture')),
  }
  $own_platform = "${facts['kernel'].downcase}-${processor}"
  if $own_platform != $platform {
    fail("${profile}: the program of the primary is for ${platform}, this node is ${own_platform}")
  }

  # Debian's own package keeps certificates elsewhere than Puppet's packages do.
  $is_debians = !('aio_agent_version' in $facts) and $facts.dig('os', 'family') == 'Debian'
  $ssl_dir = $puppet_enterprise::profile::master::ssl_dir ? {
    undef   => $is_debians ? { true => '/var/lib/puppet/ssl', default => '/etc/puppetlabs/puppet/ssl' },
    default => $puppet_enterprise::profile::master::ssl_dir,
  }

  # Each version has a directory of its own, because a running server keeps reading its files until it is restarted.
  $base = '/opt/bunraku/compile-server'
  $version = $sha256[0, 12]
  $setup = "${base}/current/dist/modules/puppet_enterprise/files/compile-server/setup"
  $config_dir = '/etc/puppetlabs/bunraku'

  $values = { 'primary' => $primary, 'certname' => $trusted['certname'], 'ssldir' => $ssl_dir }
    + $puppet_enterprise::profile::master::shared_settings + $puppet_enterprise::profile::master::settings
  $lines = $values.map |$name, $value| {
    $text = regsubst(String($value), '(["\\\\])', '\\\\\\1', 'G')
    "${name} = \"${text}\"\n"
  }

  # Code is fetched with git, and the server has a user of its own.
  unless defined(Package['git']) {
    package { 'git':
      ensure => installed,
    }
  }
  unless defined(Group['puppet']) {
    group { 'puppet':
      ensure => present,
      system => true,
    }
  }
  unless defined(User['puppet']) {
    user { 'puppet':
      ensure => present,
      system => true,
      gid    => 'puppet',
    }
  }

  include puppet_enterprise::directory

  file { $base:
    ensure => directory,
    owner  => 'root',
    group  => 'root',
    mode   => '0755',
  }

  file { "${base}/program.tar.gz":
    ensure         => file,
    source         => "https://${primary}${puppet_enterprise::profile::master::program_path}",
    checksum       => 'sha256',
    checksum_value => $sha256,
    owner          => 'root',
    group          => 'root',
    mode           => '0600',
    backup         => false,
    show_diff      => false,
  }

  exec { 'puppet_enterprise: unpack the compile server':
    command  => "rm -rf new && mkdir new && tar -xzf program.tar.gz --no-same-owner -C new && mv new ${version}",
    cwd      => $base,
    creates  => "${base}/${version}",
    provider => shell,
    path     => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
    require  => File["${base}/program.tar.gz"],
  }

  file { "${base}/current":
    ensure  => link,
    target  => $version,
    require => Exec['puppet_enterprise: unpack the compile server'],
  }

  # The units of the service call it so.
  file { '/usr/bin/bunraku':
    ensure  => link,
    target  => "${base}/current/bin/bunraku",
    require => File["${base}/current"],
  }

  exec { 'puppet_enterprise: set up the compile server':
    command => "${setup} install",
    unless  => "${setup} is-installed",
    path    => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
    require => [File['/usr/bin/bunraku'], User['puppet']],
  }

  file { $ssl_dir:
    ensure  => directory,
    owner   => 'puppet',
    group   => 'puppet',
    recurse => true,
    require => User['puppet'],
  }

  file { $config_dir:
    ensure  => directory,
    require => Exec['puppet_enterprise: set up the compile server'],
  }

  file { "${config_dir}/bunraku.conf":
    ensure    => file,
    owner     => 'root',
    group     => 'puppet',
    mode      => '0640',
    show_diff => false,
    content   => "# Written by the class ${profile}, whose parameter `settings` adds to it.\n${lines.join}",
  }

  service { 'bunraku-compile-server':
    ensure    => running,
    enable    => true,
    require   => [Package['git'], File[$ssl_dir]],
    subscribe => [
      File["${base}/current", "${config_dir}/bunraku.conf"],
      Exec['puppet_enterprise: set up the compile server'],
    ],
    *         => $puppet_enterprise::profile::master::service_options,
  }

  exec { 'puppet_enterprise: remove other versions of the compile server':
    command     => "find . -mindepth 1 -maxdepth 1 -type d ! -name ${version} -exec rm -rf {} +",
    cwd         => $base,
    path        => ['/usr/bin', '/bin'],
    refreshonly => true,
    subscribe   => File["${base}/current"],
    require     => Service['bunraku-compile-server'],
  }
}
