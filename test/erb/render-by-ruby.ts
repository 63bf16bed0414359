/** Templates rendered by a Ruby beside us, as servers do (layers L2 and L3): functions are really called. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultLanguageSettings } from '../../src/language/environment/index.ts';
import type { RubyCaller, RubyHost, RubyScope } from '../../src/language/evaluator/index.ts';
import type { Value } from '../../src/language/pcore/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import { openEnvironment } from '../support/open-environment.ts';
import { endRuby, rubyOf } from '../support/ruby.ts';
import { withRubyCaller } from '../support/ruby-caller.ts';
import type { Request } from './puppet-renderings.ts';
import { valueOf } from './render-here.ts';

export interface Rendered {
  readonly text?: string;
  readonly error?: string;
}

/**
 * @param setting - as that of servers: `auto`, `wasm` or a command
 * @param visit - is given a function that renders one template, which works until `visit` returns
 */
export function withRendererByRuby(
  modulepath: string,
  setting: string,
  visit: (render: (request: Request) => Rendered) => void,
): void {
  const directory = mkdtempSync(path.join(tmpdir(), 'bunraku-templates-'));
  writeFileSync(path.join(directory, 'environment.conf'), `modulepath = ${modulepath}\n`);
  const environment = openEnvironment({
    directory,
    name: 'templates',
    code: "inline_template('')",
    settings: defaultLanguageSettings,
  });
  const ruby = rubyOf(environment, setting);
  const render = ({ file, text, variables }: Request): Rendered => {
    const given = Object.entries(variables).map(([name, json]) => [name, valueOf(json)] as const);
    const unsettable = new Map<string, Value>();
    const host: RubyHost = {
      findResourceType: (name, typeFile, caller) => ruby.findResourceType(name, typeFile, caller),
      callFunction: (call, caller) => ruby.callFunction(call, knowing(unsettable, caller)),
      evaluateErb: (source, caller) => ruby.evaluateErb(source, knowing(unsettable, caller)),
    };
    let rendered: Rendered = {};
    const renderOnce = (caller: RubyCaller): void => {
      for (const [name, value] of given)
        if (isSettable(name, caller)) caller.scope.setVariable(name, value);
        else unsettable.set(name, value);
      try {
        rendered = { text: host.evaluateErb({ file, name: '', text }, caller) };
      } catch (error) {
        if (!(error instanceof PuppetError)) throw error;
        rendered = { error: error.message.replace(/^Failed to parse inline template: /, '') };
      }
    };
    withRubyCaller(environment, renderOnce, host);
    return rendered;
  };
  try {
    visit(render);
  } finally {
    endRuby(environment);
    rmSync(directory, { recursive: true, force: true });
  }
}

const RESERVED = ['facts', 'trusted', 'server_facts'];

/** Those of classes and those that every compile has cannot be set. */
function isSettable(name: string, { scope }: RubyCaller): boolean {
  return !name.includes('::') && !RESERVED.includes(name) && !scope.isLocal(name);
}

/** What a compile has, and the place where Puppet renders for us has not. */
const HIDDEN: ReadonlySet<string> = new Set(['name', 'title', ...RESERVED]);

/** The same place, where some variables have other values. */
function knowing(others: ReadonlyMap<string, Value>, caller: RubyCaller): RubyCaller {
  const { scope } = caller;
  const variable: RubyScope['variable'] = (written) => {
    const name = written.replace(/^::/, '');
    const value = others.get(name);
    if (value !== undefined) return { value };
    return HIDDEN.has(name) ? { value, reason: '' } : scope.variable(written);
  };
  const variables = (): Iterable<readonly [string, Value]> => [
    ...[...scope.variables()].filter(([name]) => !HIDDEN.has(name)),
    ...[...others].filter(([name]) => !name.includes('::')),
  ];
  const known: RubyScope = Object.create(scope, {
    variable: { value: variable },
    variables: { value: variables },
  });
  return Object.create(caller, { scope: { value: known }, top: { get: () => knowing(others, caller.top) } });
}
