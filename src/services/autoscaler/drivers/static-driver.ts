/** No driver: people add and remove servers by the advice. */

import { type Driver, DriverError } from './driver.ts';

export function staticDriver(): Driver {
  return {
    name: 'static',
    countedBy: 'people',
    assumedLeadMs: 180_000,
    launch: (orders) =>
      Promise.resolve(orders.map(() => new DriverError('There is no driver that launches servers', 'never'))),
    end: () => Promise.resolve(),
    inventory: () => Promise.resolve(undefined),
  };
}
