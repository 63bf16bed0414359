# The web server and its sites.
class profile::web (
  Hash[String[1], Web::Options] $sites,
  Web::Options                  $defaults,
) {
  class { 'web':
    workers => max(2, $facts['processors']['count'] * 2),
  }
  contain web

  $sites.each |String $name, Web::Options $options| {
    web::site { $name:
      * => web::with_defaults($defaults, $options),
    }
  }

  $busy = $sites.filter |$name, $options| { $options['priority'] =~ Integer[50] }
  file { '/etc/web/busy':
    ensure  => file,
    content => $busy.keys.map |$name| { "${name}\n" }.join(''),
  }
}
