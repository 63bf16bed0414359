# Installs a compile server on a node, or removes it. The primary decides which, by the rights of the node: groups that a node belongs to by
# its facts give no rights, and nothing is installed then. Without the parameters of the primary the class manages nothing.
#
# @param manage_server Whether Puppet runs install the server. Servers that people installed are left alone in any case.
# @param primary The primary as `host:port`, where it has another name for this node than its certname.
# @param settings Settings of the server besides those that it shares with the primary, by name.
# @param ssl_dir The `ssldir` of the agent; where its package has it when absent.
# @param service_options Parameters of the `service` resource, for machines whose services Puppet does not know how to start:
#   `provider`, `start`, `stop`, `status`, `enable`.
# @param ensure Set by the primary, as are the following parameters.
# @param problem Why there is no server.
# @param program_path Where the primary has the program.
# @param program_sha256 The digest of its archive.
# @param program_platform What it runs on.
# @param shared_settings Settings that are the same on all servers, by name.
class puppet_enterprise::profile::master (
  Boolean $manage_server                             = true,
  Optional[String[1]] $primary                       = undef,
  Hash[String[1], Scalar] $settings                  = {},
  Optional[String[1]] $ssl_dir                       = undef,
  Hash[String[1], Data] $service_options             = {},
  Optional[Enum['present', 'absent']] $ensure        = undef,
  Optional[String[1]] $problem                       = undef,
  Optional[String[1]] $program_path                  = undef,
  Optional[Pattern[/\A\h{64}\z/]] $program_sha256    = undef,
  Optional[String[1]] $program_platform              = undef,
  Hash[String[1], Scalar] $shared_settings           = {},
) {
  if $manage_server {
    if $problem {
      notify { 'puppet_enterprise: no compile server':
        message  => $problem,
        loglevel => 'warning',
      }
    }
    if $ensure == 'present' {
      contain puppet_enterprise::compile_server
    } elsif $ensure == 'absent' and $facts['bunraku_compile_server'] == 'puppet' {
      contain puppet_enterprise::compile_server::absent
    }
  }
}
