/** Settings of the node classifier. A pure table. */

import { setting } from './setting.ts';
import { list, text } from './setting-types.ts';

const section = 'Classification and facts';

export const classifierSettings = {
  compileServerGroup: setting({
    name: 'compile_server_group',
    type: text,
    default: 'PE Master',
    doc: 'The group of the node classifier that compile servers are pinned to when they check in for the first time, unless their certificate makes them members; empty for none.',
    section,
  }),
  classifierAllowlist: setting({
    name: 'classifier_certificate_allowlist',
    type: list,
    default: '',
    doc: 'Certnames that may see and change groups of nodes, besides certificates with the extension `pp_cli_auth`.',
    section,
    aliases: ['classifier_certificate_whitelist'],
  }),
} as const;
