/** Settings of compile servers, and of the primary for them. A pure table. */

import { setting } from './setting.ts';
import { duration, filesOrAuto, list } from './setting-types.ts';

const section = 'Compile servers';

export const clusterSettings = {
  compileServers: setting({
    name: 'compile_servers',
    type: list,
    default: '',
    doc: 'Certnames of compile servers, besides those that their certificates name as such.',
    section,
  }),
  compileServerRoles: setting({
    name: 'compile_server_roles',
    type: list,
    default: '',
    doc:
      'Values of the extension `pp_role` that make a compile server of a node whose certificate was signed with ' +
      'alternative names. A request for one of them is signed like one for an authorization extension: by an ' +
      'operator with --allow-authorization-extensions, or by a rule of `signing_policy` that names pp_role.',
    section,
  }),
  compileServerFiles: setting({
    name: 'compile_server_files',
    type: filesOrAuto,
    default: 'auto',
    doc:
      'On the primary: files and directories outside of the code that compile servers get, encrypted for each, before they serve, and ' +
      'again when they change. `auto` stands for those that are found: the global `hiera.yaml`, the programs of `external_nodes` and ' +
      '`trusted_external_command`, and what `hiera.yaml` and `environment.conf` of the environments name: keys, certificates, ' +
      'configuration, programs. `auto, /etc/site/vault` adds a path; empty: none.',
    section,
  }),
  pollIntervalSeconds: setting({
    name: 'poll_interval',
    type: duration,
    default: '5s',
    doc: 'How often a compile server asks for new code, in case that it missed a notice.',
    section,
  }),
} as const;
