/** Times as commands have them. */

const fraction = /[.,](\d+)/;

/** @returns UTC with milliseconds. @throws Error in the reference's words when the text is no time */
export function wireTime(text: string): string {
  return wireTimeAfter(text, 0);
}

/** The time so many seconds later: what is below a millisecond counts before it is cut off. */
export function wireTimeAfter(text: string, seconds: number): string {
  const milliseconds = new Date(text).getTime();
  if (Number.isNaN(milliseconds)) throw new Error(`no time information in ${JSON.stringify(text)}`);
  const digits = (fraction.exec(text)?.[1] ?? '').slice(3, 9);
  const beyond = digits === '' ? 0 : Number(`0.${digits}`);
  return new Date(milliseconds + Math.floor(beyond + seconds * 1000)).toISOString();
}
