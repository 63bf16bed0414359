/** A short text for the job that a schedule starts. */

interface Scheduled {
  readonly type: 'deploy' | 'task' | 'plan';
  readonly task?: string;
  readonly plan?: string;
  readonly description: string;
  readonly noop: boolean;
}

/** Its description, the task, the plan. */
export function scheduledTitle({ description, noop, plan, task, type }: Scheduled): string {
  if (description !== '') return description;
  const name = type === 'deploy' ? 'Run Puppet' : (task ?? plan ?? type);
  return noop ? `${name}, no-op` : name;
}

export const scheduledWords = { deploy: 'Puppet run', task: 'Task', plan: 'Plan' } as const;
