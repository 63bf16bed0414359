# Configures the brokers and servers of the PXP agent. Manages nothing without a value or on nodes without a PXP agent.
#
# @param manage_pxp_agent Whether nodes get the PXP agent of this server, and its later versions. On Linux with systemd.
# @param pcp_broker_list Brokers as `host:port`, in order of preference.
# @param master_uris Servers that tasks are fetched from, as `host` or `host:port`; 8140 is the usual port.
# @param primary_uris The later name of `master_uris`.
# @param config_file The configuration of the PXP agent; where its package has it when absent. Managed on every node.
# @param ssl_dir The `ssldir` of the agent; where its package has it when absent.
class puppet_enterprise::profile::agent (
  Boolean $manage_pxp_agent                                = false,
  Optional[Array[Pattern[/\S:\d+\z/], 1]] $pcp_broker_list = undef,
  Optional[Array[String[1], 1]] $master_uris               = undef,
  Optional[Array[String[1], 1]] $primary_uris              = $master_uris,
  Optional[String[1]] $config_file                         = undef,
  Optional[String[1]] $ssl_dir                             = undef,
) {
  # Puppet's own packages bring a PXP agent along, those of OpenVox do not. It is a service, and reads its configuration when it starts.
  $is_managed = $manage_pxp_agent and $facts['kernel'] == 'Linux'
  $has_service = $is_managed or ('aio_agent_version' in $facts and $facts['implementation'] != 'openvox')

  if $is_managed {
    $directory = '/opt/bunraku/pxp-agent'
    $source = 'puppet:///modules/puppet_enterprise/pxp-agent'
    include puppet_enterprise::directory
    file { $directory:
      ensure  => directory,
      source  => $source,
      recurse => true,
      purge   => true,
      force   => true,
      mode    => '0644',
      notify  => Service['pxp-agent'],
    }
    file { '/etc/systemd/system/pxp-agent.service':
      ensure => file,
      source => "${source}/packaging/pxp-agent.service",
      mode   => '0644',
      notify => Exec['puppet_enterprise: read the unit of the PXP agent'],
    }
    exec { 'puppet_enterprise: read the unit of the PXP agent':
      command     => 'systemctl daemon-reload',
      path        => ['/usr/bin', '/bin'],
      refreshonly => true,
      notify      => Service['pxp-agent'],
    }
  }

  if ($pcp_broker_list or $primary_uris) and ($has_service or $config_file) {
    $is_windows = $facts['kernel'] == 'windows'
    $base = $is_windows ? { true => 'C:/ProgramData/PuppetLabs', default => '/etc/puppetlabs' }
    $file = $config_file ? {
      undef   => $is_windows ? { true => "${base}/pxp-agent/etc/pxp-agent.conf", default => "${base}/pxp-agent/pxp-agent.conf" },
      default => $config_file,
    }
    # Debian's own package keeps certificates elsewhere than Puppet's packages do.
    $is_debians = !('aio_agent_version' in $facts) and $facts.dig('os', 'family') == 'Debian'
    $usual_ssl = $is_windows ? {
      true    => "${base}/puppet/etc/ssl",
      default => $is_debians ? { true => '/var/lib/puppet/ssl', default => "${base}/puppet/ssl" },
    }
    $ssl = $ssl_dir ? { undef => $usual_ssl, default => $ssl_dir }
    $certname = $trusted['certname']
    $lists = {
      'broker-ws-uris' => $pcp_broker_list.lest || { [] }.map |$broker| { "wss://${broker}/pcp2/" },
      'master-uris'    => $primary_uris.lest || { [] }.map |$server| {
        $server ? { /:\d+\z/ => "https://${server}", default => "https://${server}:8140" }
      },
    }
    $texts = {
      'pcp-version' => '2',
      'ssl-key'     => "${ssl}/private_keys/${certname}.pem",
      'ssl-ca-cert' => "${ssl}/certs/ca.pem",
      'ssl-cert'    => "${ssl}/certs/${certname}.pem",
      'ssl-crl'     => "${ssl}/crl.pem",
    }
    # JSON of lists of addresses and of paths: nothing in them needs an escape.
    $entries = $lists.filter |$key, $values| { $values != [] }.map |$key, $values| {
      $quoted = $values.map |$value| { "\"${value}\"" }.join(', ')
      "  \"${key}\": [${quoted}]"
    } + $texts.map |$key, $value| { "  \"${key}\": \"${value}\"" }
    $content = $entries.join(",\n")
    if $is_managed and !$config_file {
      file { regsubst($file, '/[^/]+\z', ''):
        ensure => directory,
      }
    }
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
  } elsif $is_managed {
    service { 'pxp-agent':
      ensure => running,
      enable => true,
    }
  }
}
