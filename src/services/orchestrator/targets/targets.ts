/** The one place where a scope becomes certnames: once for each job, from one answer of PuppetDB. */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json } from '../../../lib/json.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { type Actor, requirePermission } from '../actor.ts';
import { orchestratorError } from '../orchestrator-error.ts';
import { type InfrastructureServer, infrastructureLevels, type ServerRole } from './infrastructure-order.ts';
import type { Scope } from './scope.ts';

export interface TargetTermini {
  /**
   * The answer of PuppetDB to a query in PQL or in the AST of the root, as text; what is wrong with the query instead of rows.
   *
   * @throws ServiceError `unavailable` when PuppetDB does not answer
   */
  readonly query: ((query: string | readonly Json[], signal: AbortSignal) => Promise<string>) | undefined;
  /** A group of nodes, and the query that finds its members; `undefined` when it has no rule. */
  readonly findGroup: (id: string) => { readonly query: readonly Json[] | undefined } | undefined;
  /** Nodes of a group of SSH connections; `undefined` when there is no such group. */
  readonly findConnectionGroup: (name: string) => readonly string[] | undefined;
  /** The servers of the installation, the primary among them. */
  readonly servers: () => readonly InfrastructureServer[];
}

export interface TargetLevel {
  readonly certnames: readonly string[];
  /** Of all of them, where they are the servers of the installation. */
  readonly role?: ServerRole;
}

type Unordered = Exclude<Scope, { readonly kind: 'order' | 'infrastructure' }>;

const RowsWire = z.array(z.looseObject({ certname: z.string().min(1) }));

export class Targets {
  private readonly termini: TargetTermini;

  constructor(termini: TargetTermini) {
    this.termini = termini;
  }

  /**
   * @returns certnames by level: only one, unless the scope has an order. Each certname comes once; in the order of their names, or
   *   as they were named where the scope names them
   * @throws ServiceError `empty-target`, `empty-environment`, `query-error`, `puppetdb-error`, `not-permitted`
   */
  async resolve(scope: Scope, actor: Actor, signal: AbortSignal): Promise<readonly (readonly string[])[]> {
    return (await this.levels(scope, actor, signal)).map(({ certnames }) => certnames);
  }

  /** As `resolve`, with the roles of servers. @throws ServiceError as `resolve` */
  async levels(scope: Scope, actor: Actor, signal: AbortSignal): Promise<readonly TargetLevel[]> {
    if (scope.kind === 'infrastructure') return infrastructureLevels(this.termini.servers());
    if (scope.kind === 'order') return scope.levels.map((certnames) => ({ certnames }));
    return [{ certnames: await this.certnames(scope, actor, signal) }];
  }

  private async certnames(scope: Unordered, actor: Actor, signal: AbortSignal): Promise<readonly string[]> {
    const found = await this.find(scope, actor, signal);
    const certnames = [...new Set(found.map((name) => name.toLowerCase()))];
    if (certnames.length > 0) return scope.kind === 'nodes' ? certnames : certnames.sort();
    if (scope.kind === 'environment')
      throw orchestratorError('empty-environment', `No nodes in environment ${scope.environment}`, {
        environment: scope.environment,
      });
    throw orchestratorError('empty-target', 'The target contains no nodes');
  }

  private async find(scope: Unordered, actor: Actor, signal: AbortSignal): Promise<readonly string[]> {
    switch (scope.kind) {
      case 'nodes':
        return scope.nodes;
      case 'query':
        requirePermission(actor, { objectType: 'nodes', action: 'view_data' }, 'query PuppetDB');
        return await this.certnamesOf(scope.query, signal);
      case 'environment':
        return await this.certnamesOf(nodesIn(scope.environment), signal);
      case 'node-group':
        return await this.certnamesOf(this.queryOfGroup(scope.id, actor), signal);
      case 'connection-group': {
        const found = this.termini.findConnectionGroup(scope.name);
        if (found !== undefined) return found;
        throw orchestratorError('empty-target', `There is no group of connections ${scope.name}`);
      }
      default:
        return scope satisfies never;
    }
  }

  /** Groups that the user may not see are as unknown as those that do not exist. */
  private queryOfGroup(id: string, { permits }: Actor): readonly Json[] {
    const group = this.termini.findGroup(id);
    if (group === undefined || !permits({ objectType: 'node_groups', action: 'view', instance: id }))
      throw orchestratorError('unknown-node-group', `Unknown node group ${id}`, { node_group: id });
    if (group.query === undefined)
      throw orchestratorError('empty-target', `Node group ${id} has no rules`, { node_group: id });
    return group.query;
  }

  private async certnamesOf(
    query: string | readonly Json[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (this.termini.query === undefined) throw orchestratorError('puppetdb-error', 'There is no PuppetDB');
    const text = await this.termini.query(query, signal).catch((cause: unknown) => {
      if (!(cause instanceof ServiceError)) throw cause;
      throw orchestratorError('puppetdb-error', `PuppetDB cannot be asked: ${cause.message}`);
    });
    const rows = checkShape(RowsWire, rowsIn(text));
    if (!rows.success)
      throw orchestratorError('query-error', 'Each row of the query must have a certname', { query });
    return rows.data.map(({ certname }) => certname);
  }
}

/** Those whose last catalog was of the environment. */
function nodesIn(environment: string): readonly Json[] {
  return ['from', 'nodes', ['extract', ['certname'], ['=', 'catalog_environment', environment]]];
}

/** @throws ServiceError `query-error` with what PuppetDB says of the query */
function rowsIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw orchestratorError('query-error', `Invalid query: ${text.trim()}`);
    throw error;
  }
}
