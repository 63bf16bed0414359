# One setting of the kernel.
define kernel::setting (
  Variant[Integer, String] $value,
  Integer[0, 99]           $priority = 50,
) {
  $file = "/etc/sysctl.d/${priority}-${regsubst($name, '[^a-z0-9]+', '-', 'G')}.conf"
  file { $file:
    ensure  => file,
    mode    => '0644',
    content => "${name} = ${value}\n",
  }
  ~> exec { "sysctl -p ${file}":
    refreshonly => true,
  }
}
