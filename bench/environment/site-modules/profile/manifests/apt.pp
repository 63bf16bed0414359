# Where packages come from.
class profile::apt (
  Hash[String[1], Struct[{ location => String[1], Optional[key] => String[1] }]] $sources = {},
) {
  $codename = $facts.dig('os', 'distro', 'codename')
  $sources.each |$name, $source| {
    file { "/etc/apt/sources.list.d/${name}.list":
      ensure  => file,
      mode    => '0644',
      content => "# Managed by Puppet\ndeb ${source['location']} ${codename} main\n",
      notify  => Exec['apt-update'],
    }
  }
  exec { 'apt-update':
    command     => 'apt-get update',
    refreshonly => true,
  }
  Exec['apt-update'] -> Package <| tag == 'base' |>
}
