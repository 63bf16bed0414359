# One person: a user, a home and keys.
define accounts::person (
  Integer[1000]            $uid,
  String[1]                $shell,
  Array[String[1]]         $keys   = [],
  Array[String[1]]         $groups = [],
  Enum['present','absent'] $ensure = present,
) {
  tag(*$groups)
  user { $name:
    ensure     => $ensure,
    uid        => $uid,
    gid        => $uid,
    shell      => $shell,
    home       => "/home/${name}",
    managehome => true,
    groups     => $groups.unique,
    require    => Group[$groups],
  }
  file { "/home/${name}/.ssh":
    ensure => $ensure ? { 'present' => directory, default => absent },
    owner  => $name,
    mode   => '0700',
  }
  file { "/home/${name}/.ssh/authorized_keys":
    ensure  => $ensure,
    owner   => $name,
    mode    => '0600',
    content => Sensitive($keys.map |$key| { "${key} ${name}@${trusted['certname']}" }.join("\n")),
  }
}
