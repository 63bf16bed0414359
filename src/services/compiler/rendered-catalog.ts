/** A catalog in the format that an agent asked for. */

import { type Catalog, renderCatalog } from '../../language/catalog/index.ts';
import type { CatalogFormat } from './worker-protocol.ts';

/** PSON can be read as JSON as long as all text is UTF-8: ours is. */
export function renderedCatalog(catalog: Catalog, format: CatalogFormat): string {
  return renderCatalog(
    catalog,
    format === 'rich_data_json' ? 'application/vnd.puppet.rich+json' : 'application/json',
  );
}
