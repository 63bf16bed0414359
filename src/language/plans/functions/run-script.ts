import { isArray, PuppetHash, plainText, type Value } from '../../pcore/index.ts';
import { jsonOfData } from '../plan-data.ts';
import { validationError } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { actionOptions, splitOptions, withDescription } from './action-options.ts';
import { act, type Undertaking } from './carry-out.ts';
import { atLine, getModulePath } from './module-path.ts';

/** `run_script(script, targets, description?, options?)` */
export const runScript: PlanFunction = (world) => ({
  name: 'run_script',
  types: PLAN_TYPES,
  dispatches: withDescription(
    [
      { type: 'String[1]', name: 'script' },
      { type: 'Boltlib::TargetSpec', name: 'targets' },
    ],
    'options',
    ({ context, args: [written = '', wanted = null], description, options: given }) => {
      const script = String(written);
      const { options, others } = splitOptions(given);
      checkArguments(others);
      const path = getModulePath(script, world.environment, context.position);
      const acting = actionOptions(world, String(description ?? `script ${path}`), options);
      if (world.environment.files.kind(path) !== 'file')
        throw atLine(`${script} is not a file`, context.position);
      const named = others.get('pwsh_params');
      const undertaking: Undertaking = {
        action: (targets) => ({
          kind: 'script',
          script,
          path,
          arguments: itemsOf(others.get('arguments') ?? null).map(plainText),
          ...(named instanceof PuppetHash ? { powershellParameters: parameters(named) } : {}),
          targets,
          options: acting,
        }),
        targets: world.targets(wanted),
        name: 'script',
        object: path,
        position: context.position,
      };
      return act(world, undertaking, { name: 'run_script', object: script, options });
    },
  ),
});

function checkArguments(given: PuppetHash): void {
  const has = (name: string): boolean => given.has(name);
  if (has('arguments') && has('pwsh_params'))
    throw validationError("Cannot specify both 'arguments' and 'pwsh_params'");
  if (has('pwsh_params') && !(given.get('pwsh_params') instanceof PuppetHash))
    throw validationError("Option 'pwsh_params' must be a hash");
  if (has('arguments') && !isArray(given.get('arguments') ?? null))
    throw validationError("Option 'arguments' must be an array");
}

function itemsOf(value: Value): readonly Value[] {
  return isArray(value) ? value : [];
}

function parameters(given: PuppetHash): Readonly<Record<string, ReturnType<typeof jsonOfData>>> {
  return Object.fromEntries([...given].map(([key, value]) => [plainText(key), jsonOfData(value)]));
}
