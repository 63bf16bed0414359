# One site: its user, its directories, its configuration.
define web::site (
  Web::Port                 $port     = 80,
  Integer[0, 99]            $priority = 25,
  Array[String[1]]          $aliases  = [],
  Hash[String[1], String]   $headers  = {},
  Optional[Pattern[/\A\//]] $docroot  = undef,
  Boolean                   $tls      = false,
) {
  include web
  $root = web::first_of($docroot, "/srv/www/${name}")
  $slug = $name.downcase.regsubst('[^a-z0-9]+', '_', 'G')
  $owner = "w_${slug[0, 24]}"

  group { $owner:
    ensure => present,
    system => true,
  }
  user { $owner:
    ensure  => present,
    gid     => $owner,
    home    => $root,
    shell   => '/usr/sbin/nologin',
    require => Group[$owner],
  }

  file {
    default:
      ensure => directory,
      owner  => $owner,
      group  => $owner,
      mode   => '0750';
    $root:
      ;
    "/var/log/web/${name}":
      mode => '0700';
  }

  file { "${web::directory}/sites/${priority}-${name}.conf":
    ensure  => file,
    mode    => '0644',
    content => epp('web/site.conf.epp', {
      'name'    => $name,
      'port'    => $port,
      'root'    => $root,
      'aliases' => $aliases,
      'headers' => $headers,
      'tls'     => $tls,
    }),
    require => [File[$root], Class['web::install']],
    notify  => Class['web::service'],
  }

  $snippets = {
    'access' => "allow from ${facts['networking']['network']}/24",
    'limits' => "clients ${10 * $priority}",
  }
  $snippets.each |$kind, $text| {
    web::snippet { "${name} ${kind}":
      site => $name,
      kind => $kind,
      text => $text,
    }
  }

  if $tls {
    exec { "certificate of ${name}":
      command => "web-certificate --name ${name.shellquote}",
      creates => "/etc/ssl/private/${name}.pem",
      before  => File["${web::directory}/sites/${priority}-${name}.conf"],
    }
  } else {
    file { "/etc/ssl/private/${name}.pem":
      ensure => absent,
    }
  }
}
