/**
 * What is typed into a filter whose value is elsewhere, usually in the address: it is said there a moment later, and comes back as the
 * value later still, when more may have been typed.
 */

export interface FilterTyping {
  readonly value: string;
  /** What is typed, until it is the value. */
  readonly typed: string | undefined;
  /** What has been said and has not come back as the value. */
  readonly said: readonly string[];
}

export function begun(value: string): FilterTyping {
  return { value, typed: undefined, said: [] };
}

export function typedInto(typing: FilterTyping, typed: string): FilterTyping {
  return { ...typing, typed };
}

export function whenSaid(typing: FilterTyping, text: string): FilterTyping {
  return { ...typing, said: [...typing.said, text] };
}

/** @returns the same when the value is the same */
export function afterValue(typing: FilterTyping, value: string): FilterTyping {
  if (value === typing.value) return typing;
  const place = typing.said.lastIndexOf(value);
  // A link, a removed term, the way back: it replaces what is typed.
  if (place === -1) return begun(value);
  const typed = typing.typed === value ? undefined : typing.typed;
  return { value, typed, said: typing.said.slice(place + 1) };
}

export function shownText({ typed, value }: FilterTyping): string {
  return typed ?? value;
}

/** @returns `undefined` when there is nothing to say */
export function unsaidText({ said, typed, value }: FilterTyping): string | undefined {
  return typed === (said.at(-1) ?? value) ? undefined : typed;
}
