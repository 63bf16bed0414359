# A node with many sites.
class role::webserver {
  include role::base
  include profile::web

  Class['role::base'] -> Class['profile::web']
}
