/** A catalog in the format that an agent asked for. */

import { type Catalog, renderCatalog } from '../../language/catalog/index.ts';
import type { LanguageSettings } from '../../language/environment/index.ts';
import type { CompileRequest } from '../../language/evaluator/index.ts';
import { PuppetError } from '../../language/syntax/index.ts';
import type { CatalogFormat } from './worker-protocol.ts';

export interface RenderOptions {
  /** What becomes of values that the format has no words for: they are text, with a warning, or an error. */
  readonly strict: LanguageSettings['strict'];
  readonly log: CompileRequest['log'];
}

/**
 * PSON can be read as JSON as long as all text is UTF-8: ours is.
 *
 * @throws PuppetError for a value that cannot be written, under `strict=error`
 */
export function renderedCatalog(
  catalog: Catalog,
  format: CatalogFormat,
  { strict, log }: RenderOptions,
): string {
  return renderCatalog(
    catalog,
    format === 'rich_data_json' ? 'application/vnd.puppet.rich+json' : 'application/json',
    (message, { file, line }) => {
      const position = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
      if (strict === 'warning') log('warning', message, position);
      if (strict !== 'error') return;
      const text = `Could not render to ${format}: Evaluation Error: ${message}`;
      throw new PuppetError({ code: 'unwritable_value', severity: 'error', message: text, ...position });
    },
  );
}
