/** Who may send what: a message counts as `POST /pcp-broker/send` with its sender, target and type as query parameters. */

import { type Authorization, Authorizer, type Identity, readRules } from '../../platform/http/index.ts';

export interface MessageHeader {
  readonly sender: string;
  readonly targets: readonly string[];
  readonly messageType: string;
}

const path = '/pcp-broker/send';
/** What rules are asked about at all. */
const typeForm = /^[\w\-.:/]*$/;
const targetForm = /^[\w\-.:/*]*$/;

export class MessageRules {
  private readonly authorizer: Authorizer;

  /** @param authorization - of `auth.conf`; where none of its rules is about brokers, the default ones apply */
  constructor(authorization: Authorization) {
    const isNamed = authorization.rules.some(isAboutBrokers);
    this.authorizer = new Authorizer((isNamed ? authorization : defaultRules()).rules);
  }

  allow(identity: Identity, { messageType, sender, targets }: MessageHeader): boolean {
    if (!typeForm.test(messageType) || !targets.every((target) => targetForm.test(target))) return false;
    const query = new URLSearchParams({ sender, message_type: messageType });
    for (const target of targets) query.append('target', target);
    return this.authorizer.decide({ method: 'POST', path, query }, identity, path).kind === 'allowed';
  }
}

/** Not one about everything, such as `deny all` at the end. */
function isAboutBrokers({ path: match }: Authorization['rules'][number]): boolean {
  if (match.kind === 'path') return match.prefix.startsWith('/pcp-broker');
  return match.pattern.test(path) && !match.pattern.test('/');
}

/**
 * As Puppet Enterprise has them: any agent may connect and answer; only controllers may ask agents to do something, or ask who is
 * connected, and no rule applies to those.
 */
function defaultRules(): Authorization {
  return readRules(
    `authorization: { version: 1, rules: [
      { name: "pxp commands", sort-order: 300, deny: "*", match-request: { path: "${path}", type: path, method: post,
        query-params: { message_type: ["http://puppetlabs.com/rpc_blocking_request", "http://puppetlabs.com/rpc_non_blocking_request"] } } },
      { name: "inventory request", sort-order: 300, deny: "*", match-request: { path: "${path}", type: path, method: post,
        query-params: { message_type: ["http://puppetlabs.com/inventory_request"] } } },
      { name: "pcp messages", sort-order: 420, allow: "*", match-request: { path: "${path}", type: path, method: post } }
    ] }`,
    'default rules of brokers',
  );
}
