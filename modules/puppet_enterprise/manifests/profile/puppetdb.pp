# Clients that may use PuppetDB. The primary reads the value directly from its groups: the class manages nothing and does not appear in catalogs.
#
# @param whitelisted_certnames Certnames that may query and send commands.
# @param allowlisted_certnames The later name of `whitelisted_certnames`.
class puppet_enterprise::profile::puppetdb (
  Array[String[1]] $whitelisted_certnames = [],
  Array[String[1]] $allowlisted_certnames = $whitelisted_certnames,
) {
}
