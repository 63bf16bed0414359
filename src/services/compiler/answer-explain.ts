/** Answers questions about a catalog in values that threads can exchange. */

import type { Environment } from '../../language/environment/index.ts';
import {
  type CompileRequest,
  type Explained,
  type ExplainedClassParameter,
  type ExplainedDeclaration,
  type ExplainedKey,
  type ExplainedLevel,
  type ExplainedLookup,
  type ExplainedParameter,
  type ExplainedPlace,
  type ExplainedStep,
  type ExplainedValue,
  ExplainingCompile,
  type ExplainQuestion,
} from '../../language/evaluator/index.ts';
import type { LookupLevel } from '../../language/hiera/index.ts';
import type { Value } from '../../language/pcore/index.ts';
import { type Position, PuppetError } from '../../language/syntax/index.ts';
import type { Json } from '../../lib/json.ts';
import { renderFound } from './found-value.ts';

/** @throws PuppetError when the code does not compile */
export function answerExplain(request: CompileRequest, question: ExplainQuestion): Explained {
  const compile = new ExplainingCompile(request);
  const answering = new Answering(request.environment);
  switch (question.kind) {
    case 'lookup':
      return { kind: 'lookup', lookup: answering.lookup(compile.lookup(question.key)) };
    case 'parameter': {
      const { className, parameter: name } = question;
      const [found] = compile.parameters(className, name) ?? [];
      const key = `${className.replace(/^::/, '')}::${name}`;
      return {
        kind: 'parameter',
        parameter: found && answering.parameter(found),
        lookup: answering.lookup(found?.data ?? compile.lookup(key), found?.isSecret),
      };
    }
    case 'resource': {
      const { title, type } = question;
      const parameters = type === 'Class' ? (compile.parameters(title) ?? []) : [];
      return {
        kind: 'resource',
        steps: compile.declarations(type, title)?.map((each) => answering.step(each)),
        parameters: parameters.map((each) => answering.parameter(each)),
      };
    }
    default:
      return question satisfies never;
  }
}

class Answering {
  private readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  lookup(found: ExplainedKey, isSecret = false): ExplainedLookup {
    const { failure, isMergeFromData, key, levels, merge, remarks, value } = found;
    const isHidden = isSecret || found.hasSecret;
    return {
      key,
      value: shown(value, isHidden),
      failure,
      merge,
      isMergeFromData,
      // Remarks and errors of own functions may repeat values.
      remarks: isHidden ? [] : remarks,
      levels: levels.map((level) => this.level(level, key, isHidden)),
    };
  }

  parameter({
    data,
    defaultText,
    isSecret,
    name,
    place,
    source,
    type,
    value,
  }: ExplainedParameter): ExplainedClassParameter {
    return {
      name,
      source,
      value: shown(value, isSecret),
      place: this.place(place),
      type,
      defaultText: isSecret ? undefined : defaultText,
      lookup: this.lookup(data, isSecret),
    };
  }

  step({ definition, how, place, reference }: ExplainedDeclaration): ExplainedStep {
    return { reference, how, place: this.place(place), definition: this.place(definition) };
  }

  private level(level: LookupLevel, key: string, isHidden: boolean): ExplainedLevel {
    const { configPath, entry, layer, location, result, uses, value } = level;
    const path = location?.kind === 'path' ? location.resolved : undefined;
    return {
      layer,
      entry,
      result,
      uses,
      config: configPath === undefined ? undefined : this.place({ file: configPath }),
      place: path === undefined ? undefined : this.place(this.positionOfKey(path, key, result === 'found')),
      original: location?.original,
      value: shown(value, isHidden),
    };
  }

  /** Where the first part of a key stands in a file of data. */
  private positionOfKey(file: string, key: string, isFound: boolean): Position {
    const text = isFound ? this.environment.files.readText(file) : undefined;
    if (text === undefined) return { file };
    const [root = ''] = /^(?:'[^']*'|"[^"]*"|[^.])+/.exec(key) ?? [];
    const name = root.replaceAll(/^['"]|['"]$/g, '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    const pattern = new RegExp(`^(\\s*)['"]?${name}['"]?\\s*[:=]`);
    const found = text.split('\n').flatMap((written, index) => {
      const indent = pattern.exec(written)?.[1]?.length;
      return indent === undefined ? [] : [{ indent, line: index + 1 }];
    });
    // Nested keys, such as those of lookup options, are indented further.
    const [first] = found.toSorted((a, b) => a.indent - b.indent);
    return first === undefined ? { file } : { file, line: first.line };
  }

  private place(position: Position | undefined): ExplainedPlace | undefined {
    if (position?.file === undefined || position.file === '') return undefined;
    const { file: path, line } = position;
    const directory = `${this.environment.config.directory}/`;
    return { path, file: path.startsWith(directory) ? path.slice(directory.length) : undefined, line };
  }
}

function shown(value: Value | undefined, isHidden: boolean): ExplainedValue {
  if (value === undefined) return undefined;
  if (isHidden) return { kind: 'hidden' };
  try {
    return { kind: 'shown', value: JSON.parse(renderFound(value, 'json')) as Json };
  } catch (error) {
    // Bytes that are no text.
    if (!(error instanceof PuppetError)) throw error;
    return { kind: 'hidden' };
  }
}
