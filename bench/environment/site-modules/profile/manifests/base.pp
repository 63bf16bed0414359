# Packages, kernel settings, a message of the day, the clock.
#
# @param packages What is installed everywhere.
# @param absent What must not be.
# @param kernel_settings Values by key.
# @param contact Whom to ask.
class profile::base (
  Array[String[1]]                          $packages,
  Array[String[1]]                          $absent,
  Hash[String[1], Variant[Integer, String]] $kernel_settings,
  String[1]                                 $contact,
  Enum['present', 'latest']                 $ensure = 'present',
) {
  ($packages - $absent).sort.unique.each |String $name| {
    package { $name:
      ensure => $ensure,
      tag    => 'base',
    }
  }

  package { $absent:
    ensure => absent,
  }

  $kernel_settings.each |String $key, $value| {
    kernel::setting { $key:
      value => $value,
    }
  }

  $family = $facts['os']['family']
  $cron = $family ? {
    'Debian'          => 'cron',
    /(?i:redhat|suse)/ => 'crond',
    default           => undef,
  }
  if $cron {
    service { $cron:
      ensure  => running,
      enable  => true,
      require => Package['cron-daemon-common'],
    }
  }

  case $facts['os']['name'] {
    'Debian', 'Ubuntu': { include profile::apt }
    'RedHat', /Linux$/: { notice('no repositories of our own') }
    default: { fail("${facts['os']['name']} is not supported") }
  }

  file { '/etc/motd':
    ensure  => file,
    mode    => '0644',
    content => epp('profile/motd.epp', {
      'contact'  => $contact,
      'packages' => $packages,
    }),
  }

  # Nothing of the base comes after a site has been set up.
  Package <| tag == 'base' |> -> Kernel::Setting <| |>
}
