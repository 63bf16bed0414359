/** Certificates as people paste them: PEM, one after another. */

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** @returns the text itself as one certificate where it has no PEM: base64 alone, as metadata has it */
export function certificatesIn(text: string): readonly string[] {
  return text.match(block) ?? [text.trim()];
}

/** @param certificates - PEM, or base64 alone */
export function pemText(certificates: string | readonly string[]): string {
  const all = typeof certificates === 'string' ? [certificates] : certificates;
  return all.map((each) => (each.includes('-----') ? each.trim() : pemOf(each))).join('\n');
}

function pemOf(base64: string): string {
  const lines = base64.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}
