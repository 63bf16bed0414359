/** From a request to a catalog: the phases of a compile, in the reference's order. */

import { exhaustionOf } from '../../lib/exhaustion.ts';
import { Catalog, checkTitles, exhausted, failure, Resource } from '../catalog/index.ts';
import { BreakSignal } from '../functions/index.ts';
import type { Value } from '../pcore/index.ts';
import { PuppetError } from '../syntax/index.ts';
import { CompileError } from './compile-error.ts';
import type { CompileRequest, CompileResult } from './compile-request.ts';
import { Compiler } from './compiler.ts';
import { refuseRedefinitions } from './definitions/redefinitions.ts';
import { fromJson } from './json-values.ts';
import { logFindings } from './log-findings.ts';
import { findNode } from './nodes.ts';
import { addToCatalog } from './resources/declare.ts';
import { evaluateResource } from './resources/evaluate-body.ts';
import { finish } from './resources/finish.ts';
import { evaluateGenerators } from './resources/generators.ts';
import { illegalJump } from './runtime/illegal-jump.ts';
import type { CompiledResource, Scope } from './runtime/scope.ts';
import { classResource, createSettings, setTopVariables } from './top-scope.ts';

/**
 * Compiles the catalog of a node.
 *
 * @throws CompileError for mistakes in the code or its data, with the text that the agent is told
 */
export function compileCatalog(request: CompileRequest): CompileResult<Catalog> {
  return compileWith(request);
}

/** As `compileCatalog`, with the compiler, which can still be asked when the catalog is done. */
export function compileWith(
  request: CompileRequest,
): CompileResult<Catalog> & { readonly compiler: Compiler } {
  try {
    return runCompile(request);
  } catch (error) {
    throw translate(error, request);
  } finally {
    logFindings(request);
  }
}

function runCompile(request: CompileRequest): ReturnType<typeof compileWith> {
  const { environment } = request;
  parseMain(request);
  const { configVersionProblem } = environment.config;
  if (configVersionProblem !== undefined) throw failure(configVersionProblem);
  const catalog: Catalog<Scope> = new Catalog({
    name: request.certname,
    environment: environment.name,
    version: environment.config.configVersion,
    codeId: environment.config.codeId,
    catalogUuid: request.catalogUuid ?? crypto.randomUUID(),
    findType: (name) => (name.includes(':') ? undefined : compiler.findNativeType(name)),
  });
  const compiler: Compiler = new Compiler(request, catalog);
  addMainStage(compiler);
  for (const name of Object.keys(request.node.classes)) catalog.addClass(name);
  setTopVariables(compiler);
  createSettings(compiler);
  prepareDefinitions(compiler);
  const lastValue = evaluateMain(compiler);
  evaluateNode(compiler);
  evaluateClassified(compiler);
  evaluateGenerators(compiler);
  finish(compiler);
  checkTitles(catalog);
  return { catalog, lastValue, compiler };
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

/** Parameters of definitions in the main manifest are checked when it is read, used or not. */
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
  const main = classResource(compiler, '');
  topScope.resource = main;
  addToCatalog(topScope, main);
  main.isEvaluated = true;
  topScope.frame.setLocal('module_name', '');
  topScope.frame.setLocal('title', 'main');
  topScope.frame.setLocal('name', 'main');
  compiler.classScopes.set('', topScope);
  compiler.addToStage(main);
  const { block } = compiler.request;
  for (const [name, value] of block?.variables ?? []) topScope.frame.setLocal(name, value);
  const bodies = block === undefined ? compiler.code.main() : [compiler.code.mainOf(block.program)];
  let last: Value = null;
  for (const { evaluate, file } of bodies) {
    compiler.callers.push({ file, line: 0 });
    last = evaluate(topScope.frame);
    compiler.callers.pop();
  }
  return last;
}

function evaluateNode(compiler: Compiler): void {
  const found = findNode(compiler);
  if (found === undefined) return;
  compiler.nodeMatch = found.match;
  const resource = compiler.ensureInCatalog(found.body, compiler.topScope, undefined);
  try {
    evaluateResource(resource);
  } catch (error) {
    // The reference shows the class of its exception, and no place.
    if (error instanceof BreakSignal) throw failure('Puppet::Pops::Evaluator::PuppetStopIteration');
    throw error;
  }
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
  const illegal = illegalJump(error);
  if (illegal !== undefined) return new CompileError(illegal, certname);
  // The limit on nested calls is not the only thing that nests: a very deep value gets here.
  const limit = exhaustionOf(error);
  return limit === undefined ? error : new CompileError(exhausted(limit), certname);
}
