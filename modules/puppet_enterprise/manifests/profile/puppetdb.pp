# Who may use PuppetDB. The primary reads the value from its groups itself: this class manages nothing, and catalogs do not have it.
#
# @param whitelisted_certnames Certnames that may query and send commands.
# @param allowlisted_certnames The later name of `whitelisted_certnames`.
class puppet_enterprise::profile::puppetdb (
  Array[String[1]] $whitelisted_certnames = [],
  Array[String[1]] $allowlisted_certnames = $whitelisted_certnames,
) {
}
