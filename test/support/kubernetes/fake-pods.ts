/** The pods of a cluster: lists of them, and watches that tell of each change and can go on from a version. */

import type { ServerResponse } from 'node:http';
import { type Answer, failure } from './failure.ts';

export interface FakePod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  phase: string;
  deletionTimestamp?: string;
  version: number;
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly pod: FakePod;
}

interface Watcher {
  readonly namespace: string;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
}

export class FakePods {
  private readonly pods = new Map<string, FakePod>();
  private changes: Change[] = [];
  private readonly watchers = new Set<Watcher>();
  private version = 1;
  /** Changes up to this version are forgotten. */
  private forgotten = 0;

  get watching(): number {
    return this.watchers.size;
  }

  /** Another one of its name is gone then. */
  add(name: string, changes: Partial<FakePod> = {}): FakePod {
    const namespace = changes.namespace ?? 'puppet';
    const before = this.find(namespace, name);
    if (before !== undefined) this.remove(before);
    const pod: FakePod = {
      name,
      namespace,
      uid: `uid-${name}`,
      labels: { app: 'compile' },
      phase: 'Running',
      version: 0,
      ...changes,
    };
    this.pods.set(`${namespace}/${name}`, pod);
    this.tell('ADDED', pod);
    return pod;
  }

  find(namespace: string, name: string): FakePod | undefined {
    return this.pods.get(`${namespace}/${name}`);
  }

  change(pod: FakePod, changes: Partial<Pick<FakePod, 'phase' | 'deletionTimestamp'>>): void {
    Object.assign(pod, changes);
    this.tell('MODIFIED', pod);
  }

  /** Its containers have ended. */
  remove(pod: FakePod): void {
    this.pods.delete(`${pod.namespace}/${pod.name}`);
    this.tell('DELETED', pod);
  }

  clear(): void {
    for (const pod of this.pods.values()) this.remove(pod);
  }

  /** Drops old versions, as the cluster does after some minutes: resuming from one gives 410. */
  forgetChanges(): void {
    this.changes = [];
    this.forgotten = this.version;
  }

  /** Tells watchers which version they have. */
  bookmark(): void {
    for (const { query, response } of this.watchers)
      if (query.get('allowWatchBookmarks') === 'true')
        send(response, {
          type: 'BOOKMARK',
          object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: String(this.version) } },
        });
  }

  /** As at the end of `timeoutSeconds`; or all at once, in the midst of an answer. */
  endWatches(how: 'in order' | 'broken' = 'in order'): void {
    for (const { response } of this.watchers)
      if (how === 'broken') response.destroy();
      else response.end();
  }

  list(namespace: string, query: URLSearchParams): object {
    const all = [...this.pods.values()].filter((pod) => isOf(pod, namespace, query));
    const start = Number(query.get('continue') ?? 0);
    const size = Number(query.get('limit') ?? 500);
    const more = start + size < all.length ? { continue: String(start + size) } : {};
    const items = all.slice(start, start + size).map(podObject);
    const metadata = { resourceVersion: String(this.version), ...more };
    return { apiVersion: 'v1', kind: 'PodList', metadata, items };
  }

  watch(namespace: string, query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get('resourceVersion') ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (from < this.forgotten) {
      const { body } = failure(410, `too old resource version: ${from} (${this.forgotten})`);
      send(response, { type: 'ERROR', object: body });
      response.end();
      return;
    }
    const watcher = { namespace, query, response };
    this.watchers.add(watcher);
    response.on('close', () => this.watchers.delete(watcher));
    for (const change of this.changes) if (change.pod.version > from) tellOne(watcher, change);
  }

  delete(pod: FakePod, body: unknown): Answer {
    const { uid } =
      (body as { readonly preconditions?: { readonly uid?: string } } | undefined)?.preconditions ?? {};
    if (uid !== undefined && uid !== pod.uid)
      return failure(409, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.uid}`);
    if (pod.deletionTimestamp === undefined)
      this.change(pod, { deletionTimestamp: new Date().toISOString() });
    return { status: 200, body: podObject(pod) };
  }

  private tell(type: Change['type'], pod: FakePod): void {
    this.version += 1;
    pod.version = this.version;
    const change = { type, pod: { ...pod } };
    this.changes.push(change);
    for (const watcher of this.watchers) tellOne(watcher, change);
  }
}

function tellOne({ namespace, query, response }: Watcher, { pod, type }: Change): void {
  if (isOf(pod, namespace, query)) send(response, { type, object: podObject(pod) });
}

function send(response: ServerResponse, event: object): void {
  response.write(`${JSON.stringify(event)}\n`);
}

function isOf(pod: FakePod, namespace: string, query: URLSearchParams): boolean {
  const [label = '', value = ''] = (query.get('labelSelector') ?? '').split('=');
  return pod.namespace === namespace && (label === '' || pod.labels[label] === value);
}

export function podObject({
  deletionTimestamp,
  labels,
  name,
  namespace,
  phase,
  uid,
  version,
}: FakePod): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      labels,
      resourceVersion: String(version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: { containers: [{ name: 'server', image: 'bunraku' }] },
    status: { phase },
  };
}
