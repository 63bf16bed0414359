# Tells the PXP agent where its brokers and its servers are. Without a value, and on nodes without the packages that bring a PXP agent
# along, nothing is managed.
#
# @param pcp_broker_list Brokers as `host:port`, in order of preference.
# @param master_uris Servers that tasks are fetched from, as `host` or `host:port`; 8140 is the usual port.
# @param primary_uris The later name of `master_uris`.
# @param config_file The configuration of the PXP agent; where its package has it when absent. Managed on every node.
# @param ssl_dir The `ssldir` of the agent; where its package has it when absent.
class puppet_enterprise::profile::agent (
  Optional[Array[String[1], 1]] $pcp_broker_list = undef,
  Optional[Array[String[1], 1]] $master_uris     = undef,
  Optional[Array[String[1], 1]] $primary_uris    = $master_uris,
  Optional[String[1]] $config_file               = undef,
  Optional[String[1]] $ssl_dir                   = undef,
) {
  # With the packages that bring it along, the PXP agent is a service, and reads its configuration when it starts.
  $has_service = 'aio_agent_version' in $facts

  if ($pcp_broker_list or $primary_uris) and ($has_service or $config_file) {
    $is_windows = $facts['kernel'] == 'windows'
    $base = $is_windows ? { true => 'C:/ProgramData/PuppetLabs', default => '/etc/puppetlabs' }
    $file = $config_file ? {
      undef   => $is_windows ? { true => "${base}/pxp-agent/etc/pxp-agent.conf", default => "${base}/pxp-agent/pxp-agent.conf" },
      default => $config_file,
    }
    $ssl = $ssl_dir ? {
      undef   => $is_windows ? { true => "${base}/puppet/etc/ssl", default => "${base}/puppet/ssl" },
      default => $ssl_dir,
    }
    $certname = $trusted['certname']
    $lists = {
      'broker-ws-uris' => $pcp_broker_list.lest || { [] }.map |$broker| { "wss://${broker}/pcp2/" },
      'master-uris'    => $primary_uris.lest || { [] }.map |$server| {
        $server ? { /:\d+\z/ => "https://${server}", default => "https://${server}:8140" }
      },
    }
    $texts = {
      'ssl-key'     => "${ssl}/private_keys/${certname}.pem",
      'ssl-ca-cert' => "${ssl}/certs/ca.pem",
      'ssl-cert'    => "${ssl}/certs/${certname}.pem",
    }
    # JSON of lists of addresses and of paths: nothing in them needs an escape.
    $entries = $lists.filter |$key, $values| { $values != [] }.map |$key, $values| {
      $quoted = $values.map |$value| { "\"${value}\"" }.join(', ')
      "  \"${key}\": [${quoted}]"
    } + $texts.map |$key, $value| { "  \"${key}\": \"${value}\"" }
    $content = $entries.join(",\n")
    file { $file:
      ensure  => file,
      content => "{\n${content}\n}\n",
      mode    => $is_windows ? { true => undef, default => '0644' },
    }

    if $has_service {
      service { 'pxp-agent':
        ensure    => running,
        enable    => true,
        subscribe => File[$file],
      }
    }
  }
}
