import type { Json, JsonObject } from '../../../lib/json.ts';
import { manifestBlock } from '../../evaluator/index.ts';
import { assertInstance, PuppetHash, SensitiveValue, type Value } from '../../pcore/index.ts';
import { applyResultValue } from '../apply/apply-result.ts';
import type { CompiledBlock } from '../apply/block-compiler.ts';
import { hashOfJson, valueOfJson } from '../plan-data.ts';
import { PlanError } from '../plan-error.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { ResultSetValue } from '../values/result-set-value.ts';
import { ResultValue } from '../values/result-value.ts';
import type { TargetValue } from '../values/target-value.ts';
import { actionOptions, isSet } from './action-options.ts';
import { outcomesOf } from './carry-out.ts';

/** `apply(targets, options?) { code }` */
export const apply: PlanFunction = (world) => ({
  name: 'apply',
  types: PLAN_TYPES,
  dispatches: [
    {
      // In the words of the reference when they have the wrong type.
      parameters: [
        { type: 'Any', name: 'targets' },
        { type: 'Any', name: 'options', arity: 'optional' },
      ],
      block: {},
      call: (context, [wanted = null, given], lambda) => {
        const block = lambda === undefined ? undefined : manifestBlock(lambda);
        if (block === undefined) throw new Error('apply() was called without code');
        const check = (what: string, type: string, value: Value): void => {
          assertInstance(`Puppet Pal: apply ${what}`, context.resolveType(type), value);
        };
        check('targets', 'Boltlib::TargetSpec', wanted);
        if (given !== undefined) check('options', 'Hash[String, Data]', given);
        const options = withoutUnderscores(given);
        const targets = world.targets(wanted);
        const compiled = world.compileBlock(block, targets);
        const results = new ResultSetValue(applyAll(world, targets, compiled, options));
        if (results.isOk || isSet(options, 'catch_errors')) return results;
        throw failureOf(results);
      },
    },
  ],
});

/** Options may be written without their `_`. */
function withoutUnderscores(given: Value | undefined): PuppetHash {
  if (!(given instanceof PuppetHash)) return new PuppetHash();
  return new PuppetHash([...given].map(([key, value]) => [String(key).replace(/^_/, ''), value] as const));
}

/** Targets whose catalog does not compile are not asked. */
function applyAll(
  world: PlanWorld,
  targets: readonly TargetValue[],
  compiled: readonly CompiledBlock[],
  options: PuppetHash,
): readonly ResultValue[] {
  const catalogs = new Map<string, string>();
  for (const [index, { name }] of targets.entries()) {
    const found = compiled[index];
    if (found?.kind === 'catalog') catalogs.set(name, found.text);
  }
  const description = String(options.get('description') ?? 'apply catalog');
  const reports = outcomesOf(world, {
    kind: 'apply',
    targets: [...catalogs.keys()],
    catalogs: [...catalogs.values()],
    options: actionOptions(world, description, options),
  });
  return targets.map((target, index) => {
    const found = compiled[index];
    const value =
      found?.kind === 'failed'
        ? hashOfJson({ _error: compileFailure(target.name, found.message) })
        : applied(target.name, reports.get(target.name), catalogs.get(target.name));
    return new ResultValue({ target, value, action: 'apply', object: null }, 'ApplyResult');
  });
}

function compileFailure(target: string, message: string): JsonObject {
  const msg = `Apply failed to compile for ${target}: ${message}`;
  return { kind: 'bolt/apply-error', msg, details: {} };
}

function applied(target: string, answer: JsonObject | undefined, catalog: string | undefined): PuppetHash {
  const msg = `No result was returned for ${target}`;
  const missing = { _error: { kind: 'puppetlabs.bolt/missing-result-error', msg, details: {} } };
  const value = hashOfJson(applyResultValue(target, answer ?? missing));
  if (catalog === undefined) return value;
  const known = PuppetHash.from({ catalog: valueOfJson(JSON.parse(catalog) as Json) });
  return value.set('_sensitive', new SensitiveValue(known));
}

/** Its message is that of the results, as in the reference. */
function failureOf(results: ResultSetValue): PlanError {
  const message = results.failed.results.map(({ error }) => String(error?.attribute('msg') ?? '')).join('\n');
  return PlanError.of('bolt/apply-failure', message, {
    action: 'apply',
    object: 'catalog',
    result_set: results,
  });
}
