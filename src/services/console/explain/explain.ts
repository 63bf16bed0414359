/** Why a node gets a value or a resource: groups, levels of Hiera, lines of code and defaults, in the order in which they count. */

import type {
  Explained,
  ExplainedClassParameter,
  ExplainedLookup,
  ExplainedPlace,
  ExplainedValue,
  ExplainQuestion,
} from '../../../language/evaluator/index.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { ExplainSource, GivenByGroup, GivingGroup } from './explain-source.ts';
import type { ExplainAnswer, ExplainQuery } from './wire.ts';

type Step = ExplainAnswer['steps'][number];
type Groups = (given: GivenByGroup) => Promise<readonly GivingGroup[]>;

/**
 * @throws ServiceError `not-found` for a node without facts and for a resource that its catalog does not have, `compile-failed` in
 *   Puppet's words
 */
export async function explain(
  source: ExplainSource,
  query: ExplainQuery,
  signal: AbortSignal,
): Promise<ExplainAnswer> {
  const { certname } = query;
  const question = questionOf(query);
  const { codeId, environment, explained, problem } = await source.ask(
    certname,
    query.environment,
    question,
    signal,
  );
  const groups: Groups = async (given) => (await source.givingGroups?.(certname, given, signal)) ?? [];
  return {
    certname,
    environment,
    commit: codeId === null ? null : (source.commitOf(codeId) ?? null),
    problem: problem ?? null,
    ...(await answerOf(explained, question, groups)),
  };
}

/** @throws ServiceError `bad-request` for a malformed parameter name or reference */
function questionOf({ lookup, parameter, resource }: ExplainQuery): ExplainQuestion {
  if (lookup !== undefined) return { kind: 'lookup', key: lookup };
  if (parameter !== undefined) {
    const [, className, name] = /^(?:::)?((?:[a-z]\w*::)*[a-z]\w*)::([a-z_]\w*)$/.exec(parameter) ?? [];
    if (className === undefined || name === undefined)
      throw mistake(`"${parameter}" is not the name of a class and its parameter, such as ntp::servers`);
    return { kind: 'parameter', className, parameter: name };
  }
  const [, type, title] = /^([A-Z]\w*(?:::[A-Z]\w*)*)\[(.+)\]$/s.exec(resource ?? '') ?? [];
  if (type === undefined || title === undefined)
    throw mistake(`"${resource ?? ''}" is not the reference of a resource, such as File[/etc/motd]`);
  return { kind: 'resource', type, title };
}

function mistake(message: string): ServiceError {
  return new ServiceError('bad-request', message, { kind: 'bunraku.console/unreadable-subject' });
}

type Answered = Pick<
  ExplainAnswer,
  'source' | 'value' | 'type' | 'merge' | 'steps' | 'parameters' | 'remarks'
>;

async function answerOf(explained: Explained, question: ExplainQuestion, groups: Groups): Promise<Answered> {
  if (explained.kind === 'resource') return await resourceAnswer(explained, question, groups);
  const { lookup } = explained;
  const common = {
    type: null,
    merge: mergeOf(lookup),
    remarks: [...lookup.remarks, ...(lookup.failure === undefined ? [] : [lookup.failure])],
    parameters: [],
  };
  const parameter = explained.kind === 'parameter' ? explained.parameter : undefined;
  if (parameter === undefined) {
    const isFound = lookup.value !== undefined;
    return {
      ...common,
      source: isFound ? 'data' : 'none',
      value: encodeValue(lookup.value),
      steps: await levelSteps(lookup, isFound, groups),
    };
  }
  const { type = null, value } = parameter;
  const steps = [
    ...(await earlierSteps(parameter, question, groups)),
    ...(await levelSteps(lookup, parameter.source === 'data', groups)),
    ...defaultSteps(parameter),
  ];
  // A missing value in data is a failure only when nothing else gives the value.
  return {
    ...common,
    remarks: lookup.remarks,
    source: parameter.source,
    value: encodeValue(value),
    type,
    steps,
  };
}

/** Sources that take precedence over data: a declaration in code, then a group. */
async function earlierSteps(
  { place, source, value }: ExplainedClassParameter,
  question: ExplainQuestion,
  groups: Groups,
): Promise<readonly Step[]> {
  if (source === 'code')
    return [
      {
        ...emptyStep,
        kind: 'code',
        name: 'declaration of the class',
        is_decisive: true,
        place: encodePlace(place),
        value: encodeValue(value),
      },
    ];
  if (question.kind !== 'parameter') return [];
  const { className, parameter } = question;
  const found = await groups({ kind: 'parameter', className, parameter });
  if (source === 'group')
    return groupSteps(found, { result: 'found', is_decisive: true, value: encodeValue(value) });
  return [{ ...emptyStep, kind: 'group', name: 'Parameters of node groups', result: 'not-found' }];
}

function groupSteps(found: readonly GivingGroup[], step: Partial<Step>): readonly Step[] {
  // Users who may not see groups get no names.
  if (found.length === 0) return [{ ...emptyStep, kind: 'group', name: 'a node group', ...step }];
  return found.map(({ id, name }) => ({ ...emptyStep, kind: 'group' as const, name, group: id, ...step }));
}

const classifierEntry = 'Classifier Configuration Data';

async function levelSteps(
  { key, levels, merge }: ExplainedLookup,
  isDecisive: boolean,
  groups: Groups,
): Promise<readonly Step[]> {
  const first = levels.findIndex(({ result }) => result === 'found');
  const steps = levels.map(async (level, index): Promise<readonly Step[]> => {
    const counts = level.result === 'found' && (merge !== undefined || index === first);
    const step: Step = {
      ...emptyStep,
      kind: 'level',
      name: level.entry,
      layer: level.layer,
      result: level.result,
      is_decisive: isDecisive && counts,
      place: encodePlace(level.place),
      config: encodePlace(level.config),
      original: level.original ?? null,
      value: encodeValue(level.value),
      uses: [...level.uses],
    };
    if (level.entry !== classifierEntry || level.result !== 'found') return [step];
    const [className, parameter] = splitKey(key);
    const found = await groups({ kind: 'data', className, parameter });
    return groupSteps(found, {
      layer: 'data',
      result: 'found',
      is_decisive: step.is_decisive,
      value: step.value,
    });
  });
  return (await Promise.all(steps)).flat();
}

function splitKey(key: string): readonly [className: string, parameter: string] {
  const at = key.lastIndexOf('::');
  return [key.slice(0, Math.max(at, 0)), key.slice(at + 2)];
}

function defaultSteps({ defaultText, place, source, value }: ExplainedClassParameter): readonly Step[] {
  if (defaultText === undefined) return [];
  const isDecisive = source === 'default';
  return [
    {
      ...emptyStep,
      kind: 'default',
      name: defaultText,
      result: 'found',
      is_decisive: isDecisive,
      place: isDecisive ? encodePlace(place) : null,
      value: isDecisive ? encodeValue(value) : null,
    },
  ];
}

async function resourceAnswer(
  { parameters, steps: declared }: Extract<Explained, { readonly kind: 'resource' }>,
  question: ExplainQuestion,
  groups: Groups,
): Promise<Answered> {
  if (declared === undefined)
    throw new ServiceError('not-found', `The catalog does not have ${subjectOf(question)}`, {
      kind: 'bunraku.console/unknown-resource',
    });
  const steps = declared.map(async ({ definition, how, place, reference }): Promise<readonly Step[]> => {
    const step: Step = {
      ...emptyStep,
      kind: 'code',
      name: reference === 'Class[main]' || reference === 'Class[Main]' ? 'the main manifest' : reference,
      result: 'found',
      is_decisive: true,
      place: encodePlace(place),
      definition: encodePlace(definition),
    };
    if (how !== 'group') return [step];
    const className = /^Class\[(.*)\]$/.exec(reference)?.[1]?.toLowerCase() ?? '';
    const found = await groups({ kind: 'class', className });
    return [step, ...groupSteps(found, { layer: 'class', result: 'found', is_decisive: true })];
  });
  return {
    source: null,
    value: null,
    type: null,
    merge: null,
    remarks: [],
    steps: (await Promise.all(steps)).flat(),
    parameters: parameters.map(({ lookup, name, place, source, type = null, value }) => ({
      name,
      source,
      type,
      value: encodeValue(value),
      place: encodePlace(source === 'data' ? decisivePlace(lookup) : place),
    })),
  };
}

function decisivePlace({ levels }: ExplainedLookup): ExplainedPlace | undefined {
  return levels.find(({ result }) => result === 'found')?.place;
}

function subjectOf(question: ExplainQuestion): string {
  return question.kind === 'resource' ? `${question.type}[${question.title}]` : '';
}

const emptyStep = {
  result: 'found',
  is_decisive: false,
  layer: null,
  group: null,
  place: null,
  config: null,
  definition: null,
  original: null,
  value: null,
  uses: [],
} as const;

function mergeOf({ isMergeFromData, merge }: ExplainedLookup): ExplainAnswer['merge'] {
  return merge === undefined ? null : { strategy: merge, is_from_data: isMergeFromData };
}

function encodePlace(place: ExplainedPlace | undefined): Step['place'] {
  if (place === undefined) return null;
  const { file = null, line = null, path } = place;
  return { path, file, line };
}

function encodeValue(value: ExplainedValue): Step['value'] {
  if (value === undefined) return null;
  return value.kind === 'hidden' ? { is_hidden: true } : { is_hidden: false, value: value.value };
}
