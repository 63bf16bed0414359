/** Facts of machines that do not exist: what Facter would say on a few operating systems. */

interface OperatingSystem {
  readonly name: string;
  readonly family: string;
  readonly full: string;
  readonly major: string;
}

const systems: readonly OperatingSystem[] = [
  { name: 'Debian', family: 'Debian', full: '12.11', major: '12' },
  { name: 'Ubuntu', family: 'Debian', full: '24.04', major: '24.04' },
  { name: 'RedHat', family: 'RedHat', full: '9.4', major: '9' },
  { name: 'AlmaLinux', family: 'RedHat', full: '8.10', major: '8' },
];

/** @param index - which machine of the fleet it is */
export function simulatedFacts(certname: string, index: number): Record<string, unknown> {
  const system = systems[index % systems.length] ?? systems[0];
  const [hostname = certname, ...domain] = certname.split('.');
  const ip = `192.0.2.${(index % 250) + 1}`;
  return {
    os: {
      name: system?.name,
      family: system?.family,
      architecture: 'x86_64',
      release: { full: system?.full, major: system?.major },
    },
    kernel: 'Linux',
    networking: { hostname, domain: domain.join('.'), fqdn: certname, ip },
    processors: { count: 2 + (index % 7), isa: 'x86_64' },
    memory: { system: { total_bytes: 4_294_967_296 * (1 + (index % 4)) } },
    virtual: 'kvm',
    is_virtual: true,
    puppetversion: '8.10.0',
    clientcert: certname,
    clientversion: '8.10.0',
    clientnoop: false,
  };
}
