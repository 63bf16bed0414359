/** Settings of PCP brokers. A pure table. */

import { setting } from './setting.ts';
import { duration, integer, portOrAuto, size, text } from './setting-types.ts';

const section = 'Brokers';

export const brokerSettings = {
  pcpBrokerPort: setting({
    name: 'pcp_broker_port',
    type: portOrAuto,
    default: 'auto',
    doc: 'The port of the PCP broker, which pxp-agents connect to; 0 for none. `auto` is 8142 where the server itself listens on 8140.',
    section,
  }),
  pcpBrokerMaxConnections: setting({
    name: 'pcp_broker_max_connections',
    type: integer(0, 1_000_000),
    default: '0',
    doc: 'How many clients a broker accepts; 0 for no limit. Each needs a file descriptor.',
    section,
  }),
  pcpBrokerConnectionRate: setting({
    name: 'pcp_broker_connection_rate',
    type: integer(1, 100_000),
    default: '250',
    doc: 'New connections that a broker accepts in a second. Others wait, so that thousands of agents that come at once leave the processor to catalogs and health checks.',
    section,
  }),
  pcpBrokerMessageRate: setting({
    name: 'pcp_broker_message_rate',
    type: integer(1, 1_000_000),
    default: '500',
    doc: 'Messages in a second that a broker reads of one client. Faster clients have to wait.',
    section,
  }),
  pcpBrokerMaxMessageBytes: setting({
    name: 'pcp_broker_max_message_size',
    type: size,
    default: '64m',
    doc: 'The largest message that a broker takes. Agents take 32,000,000 bytes.',
    section,
  }),
  pcpBrokerIdleTimeoutSeconds: setting({
    name: 'pcp_broker_idle_timeout',
    type: duration,
    default: '6m',
    doc: 'How long a client may send nothing, not even a ping, before it is disconnected. Agents ping every two minutes.',
    section,
  }),
  pcpBrokerGracePeriodSeconds: setting({
    name: 'pcp_broker_controller_grace_period',
    type: duration,
    default: '90s',
    doc: 'How long the broker of a compile server keeps its clients while it cannot reach the orchestrator. It accepts no new ones meanwhile.',
    section,
  }),
  pcpBrokerLog: setting({
    name: 'pcp_broker_log',
    type: text,
    default: '',
    doc: 'A second file for lines of the log about the broker, in the format of Puppet Server: `/var/log/puppetlabs/puppetserver/pcp-broker.log`. It may be renamed or cut off at any time.',
    section,
  }),
  pcpBrokerAccessLog: setting({
    name: 'pcp_broker_access_log',
    type: text,
    default: '',
    doc: 'A file that gets a line for each message that a broker receives: outcome, address, name, sender, type, id, target. It may be renamed or cut off at any time.',
    section,
  }),
} as const;
