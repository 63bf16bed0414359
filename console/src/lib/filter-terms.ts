/** The parts of a filter of nodes such as `web status:failed fact.os.name="Debian"`. The server says what they mean. */

/** Split at spaces outside of quotes, as the server does. */
export function termsIn(filter: string): readonly string[] {
  return filter.match(/(?:[^\s"]|"(?:[^"\\]|\\["\\]?)*"?)+/g) ?? [];
}

/** `status:failed`, `fact.os.name=Debian`; the value in quotes where it has to be. */
export function termText(field: string, value: string): string {
  const separator = /^(?:fact|trusted)\./.test(field) ? '=' : ':';
  const isPlain = /^[^\s"\\]+$/.test(value);
  return `${field}${separator}${isPlain ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`}`;
}

/** The filter without one of its terms. */
export function withoutTerm(filter: string, removed: string): string {
  return termsIn(filter)
    .filter((term) => term !== removed)
    .join(' ');
}

/** What the filter asks of a field with a single term, `status` say. */
export function termValue(filter: string, field: string): string | undefined {
  const term = termsIn(filter).find((each) => each.startsWith(`${field}:`));
  return term?.slice(field.length + 1).replaceAll('"', '');
}

/** The filter, limited to one environment. */
export function withinEnvironment(filter: string, environment: string | undefined): string {
  return environment === undefined ? filter : `${filter} ${termText('environment', environment)}`.trim();
}
