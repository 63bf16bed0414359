/**
 * A program of the site that launches and ends instances, for platforms without a driver of their own.
 *
 * It is started for each question, reads one JSON object from standard input and writes one to standard output. What it writes to
 * standard error is in the log when it fails.
 */

import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { firstMistake, JsonBodies } from '../../../lib/json-body.ts';
import { retryOnTextBusy } from '../../../lib/retry-on-text-busy.ts';
import type { StartProcess } from '../../../platform/processes/index.ts';
import {
  type Driver,
  DriverError,
  type Instance,
  type JoinGrants,
  type LaunchOrder,
  type LaunchOutcome,
} from './driver.ts';

export interface ExecDriverOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly start: StartProcess;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where servers join: the primary, or what passes requests on to it. */
  readonly primaryUrl: () => string;
  readonly grants: JoinGrants;
  readonly timeoutMs: number;
}

const RetryWire = z.enum(['soon', 'elsewhere', 'never']).default('soon');
const FailureWire = z.object({ error: z.string(), retry: RetryWire });
const LaunchedWire = z.object({
  outcomes: z.array(z.object({ order: z.string(), error: z.string().optional(), retry: RetryWire })),
});
const InventoryWire = z.object({
  instances: z.array(
    z.object({
      id: z.string().min(1),
      state: z.enum(['pending', 'running', 'stopped', 'ending']).default('running'),
      order: z.string().optional(),
      certname: z.string().optional(),
    }),
  ),
});

export function execDriver(options: ExecDriverOptions): Driver {
  const { grants, primaryUrl } = options;
  const renderOrder = async ({ certname, id }: LaunchOrder) => ({
    id,
    certname,
    token: await grants.issue(certname),
  });
  return {
    name: 'exec',
    countedBy: 'primary',
    assumedLeadMs: 180_000,
    inventoryIntervalMs: 10_000,
    async launch(orders) {
      const question = {
        action: 'launch',
        primary: primaryUrl(),
        orders: await Promise.all(orders.map(renderOrder)),
      };
      const { outcomes } = await ask(options, question, LaunchedWire);
      return orders.map(({ id }): LaunchOutcome => {
        const outcome = outcomes.find(({ order }) => order === id);
        if (outcome === undefined) return new DriverError('The program says nothing of this order', 'soon');
        return outcome.error === undefined ? undefined : new DriverError(outcome.error, outcome.retry);
      });
    },
    async end(instance) {
      await ask(options, { action: 'end', instance }, z.object({}));
    },
    async inventory() {
      const { instances } = await ask(options, { action: 'inventory' }, InventoryWire);
      return instances.map(
        ({ certname, id, order, state }): Instance => ({
          id,
          state,
          ...(order === undefined ? {} : { orderId: order }),
          ...(certname === undefined ? {} : { certname }),
        }),
      );
    },
  };
}

const answers = new JsonBodies({
  notJson: (_text, cause) => new DriverError('The answer is not valid JSON', 'never', { cause }),
  misshapen: (problem) => new DriverError(`Invalid answer: ${firstMistake(problem)}`, 'never'),
});

type Question = Readonly<Record<string, unknown>> & { readonly action: string };

/** @throws DriverError when the program fails, says so, takes too long, or answers in another form */
async function ask<T extends z.ZodType>(
  options: ExecDriverOptions,
  question: Question,
  shape: T,
): Promise<z.infer<T>> {
  const answer = answers.parse(await retryOnTextBusy(() => run(options, question)));
  const failure = checkShape(FailureWire, answer);
  if (failure.success) throw new DriverError(failure.data.error, failure.data.retry);
  return answers.check(shape, answer);
}

const mostSaid = 2000;

async function run(options: ExecDriverOptions, question: Question): Promise<Buffer> {
  const { command, environment, start, timeoutMs } = options;
  const [program = '', ...args] = command;
  const child = start(program, args, { environment, timeoutMs, isOwnGroup: true });
  child.stdin.on('error', () => {}); // It may end without reading.
  child.stdin.end(`${JSON.stringify(question)}\n`);
  const [output, complaint, { code, signal }] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    child.ended,
  ]);
  if (code === 0) return output;
  const how = signal === null ? `ended with ${code}` : `was ended by ${signal}`;
  const said = complaint.toString('utf8').trim().slice(-mostSaid);
  throw new DriverError(`${program} ${how} at ${question.action}: ${said}`, 'soon');
}
