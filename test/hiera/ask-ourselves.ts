/** `lookup` as the command does it, in this very thread. */

import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  defaultLanguageSettings,
  Environment,
  type EnvironmentConfig,
  ParseCache,
} from '../../src/language/environment/index.ts';
import type { CompileRequest } from '../../src/language/evaluator/index.ts';
import { PuppetError } from '../../src/language/syntax/index.ts';
import type { Json } from '../../src/lib/json.ts';
import { answerQuestion } from '../../src/services/compiler/answer-question.ts';
import { hostTermini } from '../../src/services/compiler/host-termini.ts';
import type { Question } from '../../src/services/compiler/worker-protocol.ts';
import { DiskFileTree } from '../support/disk-file-tree.ts';
import { endRuby, rubyOf } from '../support/ruby.ts';

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Place {
  /** `.../environments/production` */
  readonly directory: string;
  readonly globalHieraConfig: string;
  readonly facts: Readonly<Record<string, Json>>;
}

export function askOurselves(args: readonly string[], place: Place): Answer {
  const environment = open(place);
  const warnings: string[] = [];
  const log: CompileRequest['log'] = (level, message) => {
    if (level === 'warning') warnings.push(`Warning: ${message}\n`);
  };
  const logged = (): string => warnings.join('');
  try {
    const { failure, text } = answerQuestion({ ...requestFor(environment, place), log }, questionOf(args));
    const stdout = text === undefined ? '' : `${text}\n`;
    return { stdout, stderr: logged(), exit: failure === undefined ? 0 : 1 };
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error;
    return { stdout: '', stderr: `${logged()}Error: ${error.message}\n`, exit: 1 };
  } finally {
    endRuby(environment);
  }
}

function open({ directory, globalHieraConfig }: Place): Environment {
  const config: EnvironmentConfig = {
    name: 'production',
    directory,
    modulepath: [path.join(directory, 'modules')],
    manifest: path.join(directory, 'manifests'),
    code: 'undef',
    configVersion: 1,
    codeId: null,
    globalHieraConfig,
    settings: defaultLanguageSettings,
  };
  return new Environment(config, new DiskFileTree(), new ParseCache());
}

function requestFor(environment: Environment, { facts }: Place): CompileRequest {
  const certname = 'node.example.com';
  return {
    certname,
    environment,
    facts,
    trusted: { authenticated: 'local', certname, extensions: {}, external: {} },
    serverFacts: {},
    node: { classes: {}, parameters: {} },
    termini: { ...hostTermini(environment.files), ruby: rubyOf(environment) },
    log: () => {},
  };
}

function questionOf(args: readonly string[]): Question {
  const { positionals: names, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      merge: { type: 'string' },
      type: { type: 'string' },
      default: { type: 'string' },
      'render-as': { type: 'string', default: 'yaml' },
      'knock-out-prefix': { type: 'string' },
      'sort-merged-arrays': { type: 'boolean', default: false },
      'merge-hash-arrays': { type: 'boolean', default: false },
      explain: { type: 'boolean', default: false },
      'explain-options': { type: 'boolean', default: false },
    },
  });
  const showsOptions = values['explain-options'];
  const explain = values.explain
    ? showsOptions
      ? 'options'
      : 'data'
    : showsOptions
      ? 'only-options'
      : undefined;
  const prefix = values['knock-out-prefix'];
  const deep = {
    sort_merged_arrays: values['sort-merged-arrays'],
    merge_hash_arrays: values['merge-hash-arrays'],
    ...(prefix === undefined ? {} : { knockout_prefix: prefix }),
  };
  return {
    kind: 'lookup',
    renderAs: values['render-as'] as 'yaml',
    lookup: {
      names,
      ...(values.merge === undefined
        ? {}
        : { merge: { strategy: values.merge, ...(values.merge === 'deep' ? deep : {}) } }),
      ...(values.type === undefined ? {} : { type: values.type }),
      ...(values.default === undefined ? {} : { defaultValue: values.default }),
      ...(explain === undefined ? {} : { explain }),
    },
  };
}
