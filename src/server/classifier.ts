/** The node classifier, where `node_terminus` names it: who asks it, and who may change it. */

import { randomUUID } from 'node:crypto';
import { type Access, createHttpServer } from '../platform/http/index.ts';
import {
  Classifier,
  classifierRoutes,
  type GroupDefinition,
  GroupStore,
  rootId,
} from '../services/classifier/index.ts';
import type { MemberGroupsTerminus } from '../services/infrastructure/index.ts';
import type { StatusRegistry } from '../services/status/index.ts';
import { readTlsMaterial } from './agent-port.ts';
import type { Foundation } from './foundation.ts';
import type { ServiceCertificates } from './service-certificates.ts';

/** @returns `undefined` where others classify */
export async function openClassifier({
  database,
  log,
  settings,
}: Foundation): Promise<Classifier | undefined> {
  if (settings.nodeTerminus !== 'classifier') return undefined;
  const { compileServerGroup } = settings;
  return await Classifier.open({
    store: new GroupStore(database),
    log: log.child({ service: 'classifier' }),
    now: () => new Date(),
    newId: randomUUID,
    initial: compileServerGroup === '' ? [] : [groupOfCompileServers(compileServerGroup)],
  });
}

/** Those with the role that only the authority gives; others are pinned when they join. */
function groupOfCompileServers(name: string): GroupDefinition {
  return {
    name,
    description:
      'Servers that compile catalogs. They are pinned when they join, and unpinned when they leave.',
    parent: rootId,
    rule: ['or', ['=', ['trusted', 'extensions', 'pp_auth_role'], 'pe_compiler']],
    environment: 'production',
    environmentTrumps: false,
    classes: {},
    variables: {},
  };
}

/** Keeps compile servers pinned to a group. Where an operator has deleted it, nobody is. */
export function memberGroups(
  classifier: Classifier,
  { log, settings: { compileServerGroup: name } }: Foundation,
): MemberGroupsTerminus {
  const find = () => classifier.hierarchy.all().find((group) => group.name === name);
  return {
    async pin(certnames) {
      const group = find();
      if (group !== undefined) await classifier.pin(group.id, certnames);
      else if (name !== '' && certnames.length > 0)
        log.warn({ group: name, certnames }, 'there is no group to pin compile servers to');
    },
    async unpin(certname) {
      await classifier.unpinFromAll([certname]);
    },
  };
}

export interface ClassifierPort {
  readonly port: number;
  /** Lets what is under way finish for at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

/** Opens the port of the classifier API. @returns `undefined` when `classifier_port` names none */
export async function openClassifierPort(
  { log, metrics, settings }: Foundation,
  {
    certificates,
    classifier,
    status,
  }: {
    readonly certificates: ServiceCertificates;
    readonly classifier: Classifier;
    readonly status: StatusRegistry;
  },
): Promise<ClassifierPort | undefined> {
  if (settings.classifierPort === 0) return undefined;
  const http = createHttpServer({
    routes: classifierRoutes(classifier, allowed(settings.classifierAllowlist)),
    authorization: { rules: [], allowHeaderCertInfo: false },
    tls: await readTlsMaterial(await certificates.ensure('classifier')),
    log: log.child({ service: 'http' }),
    onServed: metrics.observeRequest,
  });
  const host = settings.listen === '' ? undefined : settings.listen;
  const port = await http.listen(settings.classifierPort, host);
  certificates.attach('classifier', http);
  status.register({
    names: ['classifier-service'],
    version: settings.puppetVersion,
    read: () => ({
      state: http.isDraining ? 'stopping' : 'running',
      status: { groups: classifier.hierarchy.all().length },
    }),
  });
  log.info({ port }, 'classifier API is listening');
  return { port, stop: (timeoutMs) => http.drain(timeoutMs) };
}

/** Whoever may administer the CA, and those that are listed. */
function allowed(certnames: readonly string[]): Access {
  const names = new Set(certnames.map((certname) => certname.toLowerCase()));
  return {
    kind: 'any-of',
    of: [
      { kind: 'extension', name: 'pp_cli_auth', value: 'true' },
      { kind: 'certname', allows: (certname) => names.has(certname) },
    ],
  };
}
