/**
 * Text being typed into a filter. The filter's value is stored elsewhere, usually in the address: the text is reported there after a
 * short delay, and the new value arrives later still. By then the user may have typed more.
 */

export interface FilterTyping {
  readonly value: string;
  /** Undefined once it equals the value. */
  readonly typed: string | undefined;
  /** Texts that were reported and have not arrived as the value yet, oldest first. */
  readonly reported: readonly string[];
}

export function startTyping(value: string): FilterTyping {
  return { value, typed: undefined, reported: [] };
}

export function withTyped(typing: FilterTyping, typed: string): FilterTyping {
  return { ...typing, typed };
}

export function withReported(typing: FilterTyping, text: string): FilterTyping {
  return { ...typing, reported: [...typing.reported, text] };
}

/** @returns `typing` itself when the value has not changed */
export function withValue(typing: FilterTyping, value: string): FilterTyping {
  if (value === typing.value) return typing;
  const place = typing.reported.lastIndexOf(value);
  // Something else set the value, such as a link or the browser's back button: the typed text is dropped.
  if (place === -1) return startTyping(value);
  const typed = typing.typed === value ? undefined : typing.typed;
  return { value, typed, reported: typing.reported.slice(place + 1) };
}

export function shownText({ typed, value }: FilterTyping): string {
  return typed ?? value;
}

/** @returns the text to report; `undefined` when there is none */
export function unreportedText({ reported, typed, value }: FilterTyping): string | undefined {
  return typed === (reported.at(-1) ?? value) ? undefined : typed;
}
