# Where programs of this installation are.
class puppet_enterprise::directory {
  file { '/opt/bunraku':
    ensure => directory,
    mode   => '0755',
  }
}
