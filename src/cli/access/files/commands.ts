/** `bunraku access export`, `plan` and `apply` */

import { type Command, type CommandIo, UsageError } from '../../command.ts';
import { outputFormat, renderJson } from '../../output-format.ts';
import { type CommandLine, readCommandLine } from '../../own-options.ts';
import { readApplyLine, readPlanLine } from '../../plan-files.ts';
import type { ServiceRequest } from '../../service-connection.ts';
import { rbacOptions, rbacUsage } from '../../user/rbac-client.ts';
import { readAccessFiles, renderAccess } from './access-file.ts';
import { knownIdsOf, type PlannedStep, planAccess } from './access-plan.ts';
import { askAccess, readAccessState } from './access-state.ts';

export const accessExportCommand: Command = {
  name: 'access export',
  summary: 'Print roles, users, directories and imported groups as YAML, for review and for a repository',
  usage: `
Usage: bunraku access export [OPTIONS]

  bunraku access export > access.yaml

Identity providers for single sign-on are printed with the directories. Passwords, secrets, tokens, the user admin, users of
directories and the roles that are always there are left out.

${rbacUsage}`,
  async run(args, io) {
    const line = readCommandLine(args, { withValue: rbacOptions, flags: [] });
    if (line.positional.length > 0) throw new UsageError('access export takes no file: it prints');
    io.stdout(renderAccess(await readAccessState(asking(line))));
    return 0;
  },
};

const options = `  --format json        Print the plan for programs
${rbacUsage}
What the files don't name stays as it is, and so does what they leave out of something. New users have no password: 'bunraku user
password LOGIN' sets one. A directory
or provider that needs a secret names an environment variable that has it: password_env, client_secret_env. It is sent where the
directory or provider is new or changes.
`;

export const accessPlanCommand: Command = {
  name: 'access plan',
  summary: 'Show what files of roles, users, directories and imported groups would change',
  usage: `
Usage: bunraku access plan FILE ... [OPTIONS]

FILE is YAML as 'bunraku access export' prints it; '-' reads it from standard input.
Exit code: 0 nothing to do, 2 there are changes, 1 it failed.

${options}`,
  async run(args, io) {
    const line = readPlanLine(args, rbacOptions);
    const steps = await makePlan(line);
    printPlan(steps, line, io);
    return steps.length === 0 ? 0 : 2;
  },
};

export const accessApplyCommand: Command = {
  name: 'access apply',
  summary: 'Change roles, users, directories and imported groups to what files say',
  usage: `
Usage: bunraku access apply FILE ... [OPTIONS]

FILE is YAML as 'bunraku access export' prints it; '-' reads it from standard input.
Changes are made one by one, roles first, then directories and identity providers; where one is refused, those before it stay and are named.

${options}`,
  async run(args, io) {
    const line = readApplyLine(args, rbacOptions);
    const steps = await makePlan(line);
    printPlan(steps, line, io);
    await applySteps(steps, asking(line));
    if (outputFormat(line) !== 'json' && steps.length > 0) io.stdout(`Made ${counted(steps.length)}\n`);
    return 0;
  },
};

/** @throws Error saying which step was refused, and which were made before it */
export async function applySteps(
  steps: readonly PlannedStep[],
  ask: (request: ServiceRequest) => Promise<unknown>,
): Promise<void> {
  const made: string[] = [];
  for (const { request, what } of steps) {
    try {
      // Steps before may have made the roles and directories that this one names.
      await ask(request(knownIdsOf(await readAccessState(ask))));
      made.push(what);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const before = made.length === 0 ? 'Nothing was changed' : `Changed before: ${made.join(', ')}`;
      throw new Error(`${what}: ${message}. ${before}`, { cause });
    }
  }
}

/** For people. */
export function planLines(steps: readonly PlannedStep[]): readonly string[] {
  if (steps.length === 0) return ['Nothing to do: everything is as the files have it'];
  const lines = steps.flatMap(({ differences, isNew, what }) => [
    `  ${isNew ? '+' : '~'} ${what}`,
    ...differences.map((difference) => `    ${difference}`),
  ]);
  return [`${counted(steps.length)}:`, ...lines];
}

function counted(steps: number): string {
  return `${steps} ${steps === 1 ? 'change' : 'changes'}`;
}

function printPlan(steps: readonly PlannedStep[], line: CommandLine, io: CommandIo): void {
  const shown = steps.map(({ differences, isNew, what }) => ({ what, is_new: isNew, differences }));
  const isJson = outputFormat(line) === 'json';
  io.stdout(isJson ? renderJson({ changes: shown }) : `${planLines(steps).join('\n')}\n`);
}

async function makePlan(line: CommandLine): Promise<readonly PlannedStep[]> {
  const file = readAccessFiles(line.positional);
  return planAccess(await readAccessState(asking(line)), file);
}

function asking(line: CommandLine): (request: ServiceRequest) => Promise<unknown> {
  return (request) => askAccess(line, request);
}
