/** A host whose targets are all this machine: it runs commands in a shell, in a time of its own. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { ActionOutcome, FinishedAction, PlanAction, PlanEvent, PlanHost } from './index.ts';

interface Running extends FinishedAction {
  readonly endsAt: number;
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What people are told, in the words of the recordings. */
export type ShownEvent = Readonly<Record<string, Json>>;

export class ShellHost implements PlanHost {
  readonly events: ShownEvent[] = [];
  readonly actions: PlanAction[] = [];
  private readonly modules: string;
  private readonly logicalModules: string;
  private running: Running[] = [];
  private now = 0;
  private count = 0;

  /** @param modules - where the modules really are; `logicalModules` is where plans see them */
  constructor(modules: string, logicalModules: string) {
    this.modules = modules;
    this.logicalModules = logicalModules;
  }

  start(action: PlanAction): number {
    this.count += 1;
    this.actions.push(action);
    if (action.kind !== 'sleep')
      this.events.push({ step_start: action.options.description, targets: [...action.targets] });
    const outcome = this.outcomeOf(action);
    this.running.push({ id: this.count, outcome, endsAt: this.now + durationOf(action) });
    return this.count;
  }

  abandon(id: number): void {
    this.running = this.running.filter((each) => each.id !== id);
  }

  next(): FinishedAction {
    const [first] = this.running.toSorted((a, b) => a.endsAt - b.endsAt || a.id - b.id);
    if (first === undefined) throw new Error('nothing is running, so nothing can end');
    this.abandon(first.id);
    this.now = Math.max(this.now, first.endsAt);
    return first;
  }

  tell(event: PlanEvent): void {
    switch (event.kind) {
      case 'plan-started':
        this.events.push({ plan_start: event.plan });
        break;
      case 'plan-ended':
        this.events.push({ plan_finish: event.plan });
        break;
      case 'default-logging':
        this.events.push({ [event.isOn ? 'enable_default_output' : 'disable_default_output']: true });
        break;
      case 'log':
        this.events.push({ [`log_${event.level}`]: event.message });
        break;
      default:
        this.events.push({ [event.kind]: event.message });
    }
  }

  findTask(name: string): JsonObject | undefined {
    const file = this.taskFile(name);
    if (file === undefined) return undefined;
    try {
      return JSON.parse(readFileSync(file.replace(/\.sh$/, '.json'), 'utf8')) as JsonObject;
    } catch {
      // A task needs no metadata.
      return {};
    }
  }

  queryPuppetdb(query: Json): Json {
    return [{ query }];
  }

  environmentVariable(): string | undefined {
    return undefined;
  }

  private taskFile(name: string): string | undefined {
    const [module = '', task = 'init'] = name.split('::');
    try {
      const directory = `${this.modules}/${module}/tasks`;
      return readdirSync(directory).includes(`${task}.sh`) ? `${directory}/${task}.sh` : undefined;
    } catch {
      // A module without tasks has none.
      return undefined;
    }
  }

  private outcomeOf(action: PlanAction): ActionOutcome {
    if (action.kind === 'sleep') return { kind: 'slept' };
    const results = action.targets.map((target, index) => ({ target, value: this.valueOf(action, index) }));
    return { kind: 'results', results };
  }

  private valueOf(action: PlanAction, index: number): JsonObject {
    switch (action.kind) {
      case 'command':
        return commandValue(shell(action.command, action.options.environment));
      case 'script': {
        const path = action.path.replace(this.logicalModules, this.modules);
        return commandValue(shell(`exec "$0" "$@"`, {}, [path, ...action.arguments]));
      }
      case 'task': {
        const given = {
          ...action.parameters[index],
          ...(action.options.noop === true ? { _noop: true } : {}),
        };
        const environment = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [`PT_${key}`, String(value)]),
        );
        return taskValue(shell(`exec ${this.taskFile(action.task) ?? ''}`, environment));
      }
      case 'apply':
        return reportOf(action.catalogs[index] ?? '', action.options.noop === true);
      case 'apply-prep':
        return { kernel: 'Linux' };
      default:
        return {};
    }
  }
}

/** As if everything in a catalog were a message to be shown. */
function reportOf(text: string, isNoop: boolean): JsonObject {
  const { resources } = JSON.parse(text) as {
    readonly resources: readonly { readonly type: string; readonly title: string }[];
  };
  const shown = resources.filter(({ type }) => type === 'Notify');
  const status = { failed: false, events: [{ status: isNoop ? 'noop' : 'success' }] };
  const count = (name: string, value: number): Json => [name, name, value];
  return {
    status: shown.length === 0 || isNoop ? 'unchanged' : 'changed',
    noop: isNoop,
    resource_statuses: Object.fromEntries(shown.map(({ title }) => [`Notify[${title}]`, status])),
    metrics: {
      resources: {
        values: [
          count('total', shown.length),
          count('changed', isNoop ? 0 : shown.length),
          count('failed', 0),
          count('skipped', 0),
          count('out_of_sync', shown.length),
        ],
      },
    },
  };
}

function durationOf(action: PlanAction): number {
  if (action.kind === 'sleep') return action.seconds;
  const [, seconds] = action.kind === 'command' ? (/^sleep ([\d.]+)/.exec(action.command) ?? []) : [];
  return seconds === undefined ? 0.01 : Number(seconds);
}

function shell(
  command: string,
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Output {
  if (command.startsWith('sleep ')) return { stdout: '', stderr: '', exitCode: 0 };
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command, ...args], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', ...environment },
  });
  return { stdout, stderr, exitCode: status ?? 1 };
}

function commandValue({ stdout, stderr, exitCode }: Output): JsonObject {
  // Which of the two came first is not known: recorded plans write to standard output first.
  return { stdout, stderr, merged_output: stdout + stderr, exit_code: exitCode };
}

function taskValue({ stdout, exitCode }: Output): JsonObject {
  let value: Record<string, Json> = { _output: stdout };
  if (stdout.startsWith('{')) value = JSON.parse(stdout) as Record<string, Json>;
  if (exitCode === 0 || value['_error'] !== undefined) return value;
  const msg = `The task failed with exit code ${exitCode}`;
  value['_error'] = {
    kind: 'puppetlabs.tasks/task-error',
    issue_code: 'TASK_ERROR',
    msg,
    details: { exit_code: exitCode },
  };
  return value;
}
