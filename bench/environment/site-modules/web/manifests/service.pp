# @api private
class web::service {
  service { $web::service:
    ensure     => running,
    enable     => true,
    hasrestart => true,
  }
}
