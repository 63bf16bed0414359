# @api private
class web::install {
  package { $web::package:
    ensure => installed,
  }
}
