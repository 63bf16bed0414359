/** Plans of queries, in the form of the reference's answer. */

import type { Row } from '../../../platform/storage/index.ts';

/** PostgreSQL's plan comes as JSON; SQLite's steps are named by what they do and where they belong. */
export function explained(rows: readonly Row[]): readonly string[] {
  const [first] = rows;
  const plan = first?.['QUERY PLAN'];
  if (typeof plan === 'string') return [`{"query plan":${plan}}`];
  const steps = rows.map(({ id, parent, detail }) => ({ id, parent, detail }));
  return [`{"query plan":${JSON.stringify(steps)}}`];
}
