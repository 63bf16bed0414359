# @api private
class web::config inherits web {
  file { [$directory, "${directory}/sites", "${directory}/snippets", '/srv/www', '/var/log/web']:
    ensure => directory,
    mode   => '0755',
  }
  file { "${directory}/web.conf":
    ensure  => file,
    mode    => '0644',
    content => @("END"),
      user ${user}
      workers ${workers}
      include ${directory}/sites/*.conf
      | END
  }
}
