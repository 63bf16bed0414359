# Clients with additional rights at the certificate authority. The primary reads the value directly from its groups: the class
# manages nothing and does not appear in catalogs.
#
# @param client_whitelist Certnames that may see, sign, revoke and delete certificates.
# @param client_allowlist The later name of `client_whitelist`.
class puppet_enterprise::profile::certificate_authority (
  Array[String[1]] $client_whitelist = [],
  Array[String[1]] $client_allowlist = $client_whitelist,
) {
}
