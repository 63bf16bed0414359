/** From a request to a catalog: the phases of a compile, in the reference's order. */

import { Catalog, canonicalTitle, failure, Resource } from '../catalog/index.ts';
import { BreakSignal } from '../functions/index.ts';
import { PuppetHash, type Value } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import { CompileError } from './compile-error.ts';
import type { CompileRequest, CompileResult } from './compile-request.ts';
import { Compiler } from './compiler.ts';
import { CodeSource } from './definitions/code-source.ts';
import { refuseRedefinitions } from './definitions/redefinitions.ts';
import { stackTooDeep } from './evaluation-error.ts';
import { fromFact, fromJson } from './json-values.ts';
import { logFindings } from './log-findings.ts';
import { findNode } from './nodes.ts';
import { addToCatalog } from './resources/declare.ts';
import { evaluateResource } from './resources/evaluate-body.ts';
import { finish } from './resources/finish.ts';
import { evaluateGenerators } from './resources/generators.ts';
import { rubyText } from './ruby-text.ts';
import { NextSignal, ReturnSignal } from './runtime/control-flow.ts';
import { type CompiledResource, EMPTY_LAYOUT, Scope } from './runtime/scope.ts';

/**
 * Compiles the catalog of a node.
 *
 * @throws CompileError for every mistake in the code or its data, with the text that the agent is told
 */
export function compileCatalog(request: CompileRequest): CompileResult<Catalog> {
  try {
    return runCompile(request);
  } catch (error) {
    throw translate(error, request);
  } finally {
    logFindings(request);
  }
}

function runCompile(request: CompileRequest): CompileResult<Catalog> {
  const { environment } = request;
  parseMain(request);
  const catalog: Catalog<Scope> = new Catalog({
    name: request.certname,
    environment: environment.name,
    version: environment.config.configVersion,
    codeId: environment.config.codeId,
    catalogUuid: request.catalogUuid ?? crypto.randomUUID(),
    findType: (name) => (name.includes(':') ? undefined : environment.findResourceType(name)),
  });
  const compiler = new Compiler(request, catalog);
  addMainStage(compiler);
  for (const name of classifiedNames(request)) catalog.addClass(name);
  setTopVariables(compiler);
  createSettings(compiler);
  prepareDefinitions(compiler);
  const lastValue = evaluateMain(compiler);
  evaluateNode(compiler);
  evaluateClassified(compiler);
  evaluateGenerators(compiler);
  finish(compiler);
  return { catalog, lastValue };
}

/** Mistakes in the main manifest are those of the environment, not of the node. */
function parseMain({ environment }: CompileRequest): void {
  try {
    environment.mainPrograms();
  } catch (error) {
    if (!(error instanceof PuppetError) || error.diagnostic.code === 'already_defined') throw error;
    const message = `Could not parse for environment ${environment.name}: ${error.diagnostic.message}`;
    throw new PuppetError({ ...error.diagnostic, message }, { cause: error, all: error.all });
  }
}

function addMainStage(compiler: Compiler): void {
  const stage: CompiledResource = new Resource({
    type: 'Stage',
    title: 'main',
    kind: 'compilable_type',
    typeInfo: compiler.findNativeType('stage'),
    scope: compiler.topScope,
    source: compiler.topScope.source,
  });
  stage.tags.add('stage');
  compiler.catalog.add(stage);
}

function classifiedNames({ node }: CompileRequest): readonly string[] {
  return Object.keys(node.classes);
}

/** The classifier's parameters win over facts; `$environment` is what is compiled. */
function setTopVariables(compiler: Compiler): void {
  const { request, environment } = compiler;
  const { frame } = compiler.topScope;
  const facts = new PuppetHash(
    Object.entries(request.facts).map(([name, value]) => [name, fromFact(value)] as const),
  );
  const parameters = Object.entries(request.node.parameters).map(
    ([name, value]) => [name, fromJson(value)] as const,
  );
  const server = Object.entries(request.serverFacts).map(([name, value]) => [name, fromJson(value)] as const);
  for (const [name, value] of [...server, ...facts, ...parameters]) {
    if (name !== 'environment' && name !== 'trusted') frame.setLocal(String(name), value);
  }
  for (const [name, value] of parameters) {
    const fact = facts.get(name);
    if (fact === undefined || name === 'environment') continue;
    const text =
      `The node parameter '${name}' for node '${request.certname}' was already set to '${rubyText(value)}'. ` +
      `It could not be set to '${rubyText(fact)}'`;
    compiler.warnOnce(text, text);
  }
  frame.setLocal('environment', environment.name);
  frame.setLocal('trusted', trustedHash(request));
  frame.setLocal('server_facts', fromJson({ ...request.serverFacts, environment: environment.name }));
  frame.setLocal('facts', facts);
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
function createSettings(compiler: Compiler): void {
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
  const visible = Object.entries(compiler.settings.visible);
  for (const [name, value] of visible) scope.frame.setLocal(name, fromJson(value));
  scope.frame.setLocal('all_local', fromJson(Object.fromEntries(visible)));
  scope.frame.setLocal('title', 'settings');
  compiler.classScopes.set('settings', scope);
  compiler.addToStage(resource);
}

function classResource(compiler: Compiler, name: string): CompiledResource {
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
  if (name !== 'main') resource.tags.addIfValid(title);
  return resource;
}

/** Parameters of what the main manifest defines are checked when it is read, used or not. */
function prepareDefinitions(compiler: Compiler): void {
  refuseRedefinitions(compiler.environment.mainPrograms());
  for (const program of compiler.environment.mainPrograms()) {
    for (const { kind, ...definition } of program.definitions) {
      if (!('name' in definition)) continue;
      const body =
        kind === 'HostClassDefinition'
          ? compiler.code.findClass(definition.name)
          : kind === 'ResourceTypeDefinition'
            ? compiler.code.findDefine(definition.name)
            : undefined;
      body?.prepare(compiler.topScope.frame);
    }
  }
}

/** The main manifest. @returns the value of its last expression */
function evaluateMain(compiler: Compiler): Value {
  const { topScope } = compiler;
  const main = classResource(compiler, 'main');
  topScope.resource = main;
  addToCatalog(topScope, main);
  main.isEvaluated = true;
  topScope.frame.setLocal('module_name', '');
  topScope.frame.setLocal('title', 'main');
  topScope.frame.setLocal('name', 'main');
  compiler.classScopes.set('', topScope);
  compiler.addToStage(main);
  let last: Value = null;
  for (const program of compiler.code.main()) last = program(topScope.frame);
  return last;
}

function evaluateNode(compiler: Compiler): void {
  const found = findNode(compiler);
  if (found === undefined) return;
  compiler.nodeMatch = found.match;
  const resource = compiler.ensureInCatalog(found.body, compiler.topScope, undefined);
  evaluateResource(resource);
  compiler.nodeScope = compiler.classScopes.get(found.body.name);
}

/** Classes of the classifier: those with parameters first, all of them lazily. */
function evaluateClassified(compiler: Compiler): void {
  const scope = compiler.nodeScope ?? compiler.topScope;
  const entries = Object.entries(compiler.request.node.classes);
  const isPlain = (parameters: object | null): boolean =>
    parameters === null || Object.keys(parameters).length === 0;
  const withParameters = entries.filter(([, parameters]) => !isPlain(parameters));
  const bodies = withParameters.map(([name]) => compiler.requireClass(name));
  for (const [index, body] of bodies.entries()) {
    const given = Object.entries(withParameters[index]?.[1] ?? {});
    compiler.ensureInCatalog(
      body,
      scope,
      given.map(([name, value]) => [name, fromJson(value)] as const),
    );
  }
  const plain = entries.filter(([, parameters]) => isPlain(parameters)).map(([name]) => name);
  compiler.evaluateClasses(plain, scope, { isLazy: true });
}

/** Says of every error what the agent is told. */
function translate(error: unknown, { certname }: CompileRequest): unknown {
  if (error instanceof PuppetError) return new CompileError(error, certname);
  const illegal = illegalSignal(error);
  if (illegal !== undefined) return new CompileError(illegal, certname);
  // The limit on nested calls is not the only thing that nests: a very deep tree gets here.
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return new CompileError(stackTooDeep(), certname);
  }
  return error;
}

function illegalSignal(signal: unknown): PuppetError | undefined {
  const name =
    signal instanceof BreakSignal
      ? 'break'
      : signal instanceof NextSignal
        ? 'next'
        : signal instanceof ReturnSignal
          ? 'return'
          : undefined;
  if (name === undefined) return undefined;
  const { file, line } = (signal as BreakSignal | NextSignal | ReturnSignal).position;
  const error = failure(`${name}() from context where this is illegal`);
  return new PuppetError({
    ...error.diagnostic,
    file: file === undefined || file === '' ? 'unknown' : file,
    ...(line === undefined ? {} : { line }),
  });
}
