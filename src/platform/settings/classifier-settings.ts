/** Settings of the node classifier. A pure table. */

import { setting } from './setting.ts';
import { boolean, duration, list, text } from './setting-types.ts';

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
  storesCheckIns: setting({
    name: 'classifier_node_check_in_storage',
    type: boolean,
    default: 'false',
    doc: 'Whether the primary stores each classification of a node with the reason for its groups (`/classifier-api/v1/nodes`), also those of compile servers. A group of the primary may say so, too: `classifier_node_check_in_storage` of `puppet_enterprise::profile::console`. The last 100 of each node are kept.',
    section,
  }),
  checkInRetentionSeconds: setting({
    name: 'classifier_check_in_retention',
    type: duration,
    default: '7d',
    doc: 'How long stored classifications of nodes are kept; 0 keeps the last 100 of each node. `classifier_prune_threshold` (days) of `puppet_enterprise::profile::console` in a group of the primary comes first.',
    section,
  }),
} as const;
