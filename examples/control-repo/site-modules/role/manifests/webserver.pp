# A node that serves the example's pages.
class role::webserver {
  include role::base
}
