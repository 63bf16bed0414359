/** What is there before any code runs: variables of top scope, `Class[Settings]`. */

import { canonicalTitle, failure, Resource } from '../catalog/index.ts';
import type { VisibleSettings } from '../environment/index.ts';
import { PuppetHash, plainText, type Value } from '../pcore/index.ts';
import type { CompileRequest } from './compile-request.ts';
import type { Compiler } from './compiler.ts';
import { CodeSource } from './definitions/code-source.ts';
import { factsHash, fromJson } from './json-values.ts';
import { type CompiledResource, EMPTY_LAYOUT, Scope } from './runtime/scope.ts';

/** The classifier's parameters win over facts; `$environment` is what is compiled. */
export function setTopVariables(compiler: Compiler): void {
  const { request, environment } = compiler;
  const { frame } = compiler.topScope;
  const facts = factsHash(request.facts);
  const parameters = Object.entries(request.node.parameters).map(
    ([name, value]) => [name, fromJson(value)] as const,
  );
  const server = Object.entries(request.serverFacts).map(([name, value]) => [name, fromJson(value)] as const);
  for (const [name, value] of [...server, ...facts, ...parameters]) {
    if (name === 'environment' || name === 'trusted') continue;
    assertSettable(String(name));
    frame.setLocal(String(name), value);
  }
  for (const [name, value] of parameters) {
    const fact = facts.get(name);
    if (fact === undefined || name === 'environment') continue;
    const text =
      `The node parameter '${name}' for node '${request.certname}' was already set to '${plainText(value)}'. ` +
      `It could not be set to '${plainText(fact)}'`;
    compiler.warnOnce(text, text);
  }
  frame.setLocal('environment', environment.name);
  frame.setLocal('trusted', trustedHash(request));
  // Where nothing is known of the server, the reference does not name the environment, either.
  const withEnvironment =
    server.length === 0 ? {} : { ...request.serverFacts, environment: environment.name };
  frame.setLocal('server_facts', fromJson(withEnvironment));
  frame.setLocal('facts', facts);
}

/** Names that facts and classifiers may not give to anything. @throws PuppetError */
function assertSettable(name: string): void {
  if (/^\d+$/.test(name)) throw failure(`Cannot assign to a numeric match result variable '$${name}'`);
  if (name === 'facts' || name === 'server_facts')
    throw failure(`Attempt to assign to a reserved variable name: '${name}'`);
  // The class of the main manifest has them in the same scope.
  if (name === 'title' || name === 'name' || name === 'module_name')
    throw failure(`Cannot reassign variable '$${name}'`);
}

function trustedHash({ trusted }: CompileRequest): Value {
  const [hostname = '', ...domain] = trusted.certname.split('.');
  return new PuppetHash([
    ['authenticated', trusted.authenticated],
    ['certname', trusted.certname],
    ['extensions', fromJson(trusted.extensions)],
    ['hostname', hostname],
    ['domain', domain.length === 0 ? null : domain.join('.')],
    ['external', fromJson(trusted.external)],
  ]);
}

/** `Class[Settings]`, whose variables are the server's settings. */
export function createSettings(compiler: Compiler): void {
  const { topScope, catalog } = compiler;
  const resource = classResource(compiler, 'settings');
  catalog.add(resource);
  resource.isEvaluated = true;
  const source = new CodeSource('class', 'settings', undefined, undefined);
  const scope = new Scope({
    kind: 'class',
    compiler,
    parent: topScope,
    source,
    layout: EMPTY_LAYOUT,
    resource,
  });
  catalog.addClass('settings');
  scope.frame.extra = settingVariables(compiler.settings.visible);
  compiler.classScopes.set('settings', scope);
  compiler.addToStage(resource);
}

/** Made once for each version of an environment: there are some 230. Nothing is ever assigned in this scope. */
const knownVariables = new WeakMap<VisibleSettings, Map<string, Value>>();

function settingVariables(visible: VisibleSettings): Map<string, Value> {
  const known = knownVariables.get(visible);
  if (known !== undefined) return known;
  const values = Object.entries(visible).map(([name, value]) => [name, fromJson(value)] as const);
  const variables = new Map<string, Value>(values);
  variables.set('all_local', fromJson(visible));
  variables.set('title', 'settings');
  knownVariables.set(visible, variables);
  return variables;
}

/** A class that no code declares. */
export function classResource(compiler: Compiler, name: string): CompiledResource {
  const { topScope } = compiler;
  const title = canonicalTitle('Class', name);
  const resource: CompiledResource = new Resource({
    type: 'Class',
    title,
    kind: 'unknown',
    scope: topScope,
    source: topScope.source,
  });
  resource.tags.add('class');
  if (name !== '') resource.tags.addIfValid(title);
  return resource;
}
