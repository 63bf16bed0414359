/** Commands for PuppetDB, which keeps text. */

import { withoutBytes } from '../../lib/json-bytes.ts';
import type { Message } from '../../services/outbox/index.ts';
import { reportCommand } from '../../services/puppetdb-terminus/index.ts';
import type { Report } from '../../services/reports/index.ts';

export interface TextMessage {
  readonly message: Message;
  /** Whether there were bytes that are not UTF-8. */
  readonly hadBytes: boolean;
}

/** As the reference's terminus does, bytes that are not UTF-8 become U+FFFD. */
export function asTextMessage(message: Message): TextMessage {
  const payload = withoutBytes(message.payload);
  const hadBytes = payload !== message.payload;
  return { message: hadBytes ? { ...message, payload } : message, hadBytes };
}

export interface ReportMakerOptions {
  /** This server's certname. */
  readonly producer: string;
  /** Whether reports tell of resources that nothing happened to. */
  readonly hasUnchangedResources: boolean;
  readonly now: () => Date;
}

/** Makes the command for a report. */
export function reportMaker(options: ReportMakerOptions): (report: Report) => TextMessage {
  const { hasUnchangedResources, now, producer } = options;
  return (report) => asTextMessage(reportCommand(report, { producer, now: now(), hasUnchangedResources }));
}
