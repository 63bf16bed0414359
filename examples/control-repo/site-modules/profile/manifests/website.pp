# The example's website, below the directory that every node has.
class profile::website {
  require profile::base

  class { 'website':
    directory => "${profile::base::directory}/website",
  }
  contain website
}
