# What every node is.
class role::base {
  contain profile::base
  contain profile::accounts
}
