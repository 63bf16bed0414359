/** Which resource contains which: edges as the catalog carries them. */

import type { Resource } from './resource.ts';

export interface Edge<Scope = unknown> {
  readonly source: Resource<Scope>;
  readonly target: Resource<Scope>;
}

/** Keeps edges in the order of the reference: by target, in the order in which vertices appeared. */
export class ContainmentGraph<Scope = unknown> {
  /** What contains each vertex. Most have one container, for which a list serves as well as a set. */
  private readonly incoming = new Map<Resource<Scope>, Resource<Scope>[]>();
  /** What each container contains: most vertices are none. */
  private readonly outgoing = new Map<Resource<Scope>, Set<Resource<Scope>>>();

  addVertex(resource: Resource<Scope>): void {
    if (!this.incoming.has(resource)) this.incoming.set(resource, []);
  }

  addEdge(source: Resource<Scope>, target: Resource<Scope>): void {
    this.addVertex(source);
    this.addVertex(target);
    let contained = this.outgoing.get(source);
    if (contained === undefined) {
      contained = new Set();
      this.outgoing.set(source, contained);
    }
    if (contained.has(target)) return;
    contained.add(target);
    this.incoming.get(target)?.push(source);
  }

  hasEdge(source: Resource<Scope>, target: Resource<Scope>): boolean {
    return this.outgoing.get(source)?.has(target) ?? false;
  }

  /** The first container of a resource. */
  containerOf(resource: Resource<Scope>): Resource<Scope> | undefined {
    return this.incoming.get(resource)?.[0];
  }

  /** As `edges`, without an object for each. */
  eachEdge(visit: (source: Resource<Scope>, target: Resource<Scope>) => void): void {
    for (const [target, sources] of this.incoming) for (const source of sources) visit(source, target);
  }

  *edges(): Iterable<Edge<Scope>> {
    for (const [target, sources] of this.incoming) for (const source of sources) yield { source, target };
  }

  /** Visits every edge reachable from `start`, breadth first, each vertex's edges once. */
  *walk(start: Resource<Scope>): Iterable<Edge<Scope>> {
    const queue = [start];
    const seen = new Set<Resource<Scope>>();
    // The queue grows while it is walked.
    for (const source of queue) {
      if (seen.has(source)) continue;
      seen.add(source);
      for (const target of this.outgoing.get(source) ?? []) {
        queue.push(target);
        yield { source, target };
      }
    }
  }
}
