# Every node gets a role; which one, its name says.
node /^web\d+\./ {
  include role::webserver
}

node default {
  include role::base
}
