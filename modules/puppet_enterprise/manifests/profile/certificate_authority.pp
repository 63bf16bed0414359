# Who may ask the certificate authority for more than nodes may. The primary reads the value from its groups itself: this class
# manages nothing, and catalogs do not have it.
#
# @param client_whitelist Certnames that may see, sign, revoke and delete certificates.
# @param client_allowlist The later name of `client_whitelist`.
class puppet_enterprise::profile::certificate_authority (
  Array[String[1]] $client_whitelist = [],
  Array[String[1]] $client_allowlist = $client_whitelist,
) {
}
