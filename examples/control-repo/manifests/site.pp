# The name of a node decides its role.
node /^web\d+\./ {
  include role::webserver
}

node default {
  include role::base
}
