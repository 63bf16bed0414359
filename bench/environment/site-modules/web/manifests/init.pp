# The web server.
class web (
  Integer[1]    $workers,
  String[1]     $package,
  String[1]     $service,
  String[1]     $user,
  Pattern[/\A\//] $directory = '/etc/web',
) {
  contain web::install
  contain web::config
  contain web::service

  Class['web::install'] -> Class['web::config'] ~> Class['web::service']
}
