/** A change as one line, for programs that gather what happens on many machines. */

import type { RecordedChange } from '../activity.ts';

/** JSON without line breaks. States before and after may hold secrets, and are left out. */
export function changeLine({ author, events, id, object, time }: RecordedChange): string {
  return JSON.stringify({
    id,
    time: time.toISOString(),
    service: object.service,
    object: { type: object.type, id: object.id, name: object.name },
    by: { kind: author.kind, id: author.id, name: author.name },
    address: author.address ?? null,
    events: events.map(({ action, message, what }) => ({ action, what, message })),
  });
}

/** Facility 13, log audit; severity 6, informational. */
const priority = 13 * 8 + 6;
/** Other characters are not allowed in names of hosts and programs. */
const unprintable = /[^\x21-\x7e]/g;

/** A message of syslog. Source: RFC 5424, 6. */
export function syslogMessage(change: RecordedChange, host: string): string {
  const hostname = host.replace(unprintable, '_').slice(0, 255);
  // Without the mark that the RFC has before UTF-8: rsyslog passes it on, and readers of JSON stop at it.
  return `<${priority}>1 ${change.time.toISOString()} ${hostname} bunraku ${process.pid} ${change.object.service} - ${changeLine(change)}`;
}
