/** `npm run build`: bundles the program into `dist/`. */

import { build } from './bundle.ts';

await build();
