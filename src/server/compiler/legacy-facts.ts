/** Facts that agents from Puppet 8 on do not send unless `include_legacy_facts` says so. */

const NAMES = `architecture augeasversion bios_release_date bios_vendor bios_version blockdevices boardassettag boardmanufacturer
  boardproductname boardserialnumber chassisassettag chassistype dhcp_servers domain fqdn gid hardwareisa hardwaremodel hostname id
  interfaces ipaddress ipaddress6 lsbdistcodename lsbdistdescription lsbdistid lsbdistrelease lsbmajdistrelease lsbminordistrelease
  lsbrelease macaddress manufacturer memoryfree memoryfree_mb memorysize memorysize_mb netmask netmask6 network network6 operatingsystem
  operatingsystemmajrelease operatingsystemrelease osfamily physicalprocessorcount processorcount productname productversion
  rubyplatform rubysitedir rubyversion scope6 selinux selinux_config_mode selinux_config_policy selinux_current_mode selinux_enforced
  selinux_policyversion serialnumber swapencrypted swapfree swapfree_mb swapsize swapsize_mb system32 uptime uptime_days uptime_hours
  uptime_seconds uuid xendomains zonename zones`;

const PATTERNS = [
  'blockdevice_.*_(?:model|size|vendor)',
  '(?:ipaddress6?|macaddress|mtu|netmask6?|network6?|scope6)_.*',
  'ldom_.*',
  'macosx_(?:buildversion|product(?:name|version|version_major|version_minor|version_patch))',
  'processor\\d+',
  'sp_.*',
  'ssh(?:dsa|ecdsa|ed25519|rsa)key',
  'sshfp_.*',
  'windows_(?:display_version|edition_id|installation_type|product_name|release_id)',
  'zone_.*_(?:brand|id|iptype|name|path|status|uuid)',
];

const LEGACY = new RegExp(`^(?:${[...NAMES.split(/\s+/), ...PATTERNS].join('|')})$`);

export function isLegacyFact(name: string): boolean {
  return LEGACY.test(name);
}
