# What every node is at least.
class role::base {
  include profile::base
  include profile::website
}
