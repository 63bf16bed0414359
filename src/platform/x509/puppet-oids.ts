/**
 * Puppet's object identifiers and their short names.
 *
 * @see "CSR attributes and certificate extensions" in the Puppet documentation
 */

/** All of Puppet's extensions. */
export const puppetArc = '1.3.6.1.4.1.34380.1';
/** Registered extensions: facts about the node, `pp_role` and its like. */
export const puppetRegisteredArc = '1.3.6.1.4.1.34380.1.1';
/** Private extensions: a site's own. */
export const puppetPrivateArc = '1.3.6.1.4.1.34380.1.2';
/** Authorization extensions: what the node may do; signed only when allowed. */
export const puppetAuthorizationArc = '1.3.6.1.4.1.34380.1.3';
/** Lets its bearer use the certificate authority's administrative API. */
export const cliAuthOid = '1.3.6.1.4.1.34380.1.3.39';
/** CSR attribute by which an agent says that it can renew its certificate. */
export const autoRenewAttributeOid = '1.3.6.1.4.1.34380.1.3.2';

const registeredNames = [
  'pp_uuid',
  'pp_instance_id',
  'pp_image_name',
  'pp_preshared_key',
  'pp_cost_center',
  'pp_product',
  'pp_project',
  'pp_application',
  'pp_service',
  'pp_employee',
  'pp_created_by',
  'pp_environment',
  'pp_role',
  'pp_software_version',
  'pp_department',
  'pp_cluster',
  'pp_provisioner',
  'pp_region',
  'pp_datacenter',
  'pp_zone',
  'pp_network',
  'pp_securitypolicy',
  'pp_cloudplatform',
  'pp_apptier',
  'pp_hostname',
  'pp_owner',
];

/** OID to short name: `1.3.6.1.4.1.34380.1.1.13` to `pp_role`. */
export const puppetShortNames: ReadonlyMap<string, string> = new Map([
  ...registeredNames.map((name, index): [string, string] => [`${puppetRegisteredArc}.${index + 1}`, name]),
  [`${puppetAuthorizationArc}.1`, 'pp_authorization'],
  [autoRenewAttributeOid, 'pp_auth_auto_renew'],
  [`${puppetAuthorizationArc}.13`, 'pp_auth_role'],
  [cliAuthOid, 'pp_cli_auth'],
]);

const oidsByShortName: ReadonlyMap<string, string> = new Map(
  Array.from(puppetShortNames, ([oid, name]): [string, string] => [name, oid]),
);

/** The OID for a short name; anything else, an OID above all, is returned as it is. */
export function puppetOid(nameOrOid: string): string {
  return oidsByShortName.get(nameOrOid) ?? nameOrOid;
}
