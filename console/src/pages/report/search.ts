/** The part of the address that belongs to the page of a report. */

import { oneIn, type RawSearch } from '../../lib/search-text.ts';

export const reportTabs = ['changes', 'log', 'metrics'] as const;
export type ReportTab = (typeof reportTabs)[number];

export const logLevels = ['debug', 'info', 'notice', 'warning', 'err'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface ReportSearch {
  /** Failures and changes when absent. */
  readonly tab?: ReportTab | undefined;
  /** The least level of lines of the log that are shown; all when absent. */
  readonly level?: LogLevel | undefined;
}

export function reportSearch(search: RawSearch): ReportSearch {
  const tab = oneIn(search, 'tab', reportTabs);
  return { tab: tab === 'changes' ? undefined : tab, level: oneIn(search, 'level', logLevels) };
}
