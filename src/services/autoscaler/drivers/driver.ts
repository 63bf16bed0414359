/** The port to platforms: they own machines, and the primary owns what these mean. */

/**
 * Who decides how many servers there are: the primary, by orders to the driver; the platform itself, as groups of AWS and the
 * Horizontal Pod Autoscaler do with the number; or people, by the advice.
 */
export type CountedBy = 'primary' | 'platform' | 'people';

/** An order to launch one server. It is stored before the driver gets it, and a driver may get it again. */
export interface LaunchOrder {
  /** The platform's idempotency key: one order never makes two instances. */
  readonly id: string;
  /** The name that the server asks for. It is made of the order's id: no two servers ever have the same one. */
  readonly certname: string;
}

/** What became of an order: `undefined` when an instance exists for it. */
export type LaunchOutcome = DriverError | undefined;

/**
 * `ending`: the platform has decided that it goes, and waits until the server has left. `stopped`: it exists, and its server does not
 * run; a repeated launch order starts it. An instance that is not listed does not exist.
 */
export type InstanceState = 'pending' | 'running' | 'stopped' | 'ending';

export interface Instance {
  /** The platform's own name for it, never used twice. */
  readonly id: string;
  readonly state: InstanceState;
  /** The order that it was launched for; absent where the platform launches by itself. */
  readonly orderId?: string;
  /** Of its server; absent where the platform does not know it. */
  readonly certname?: string;
}

export interface Driver {
  readonly name: string;
  readonly countedBy: CountedBy;
  /** How long a driver may take from an order to a server that serves, before any launch has been measured. */
  readonly assumedLeadMs: number;
  /** How old a list of instances may be, where asking for it costs something; absent where it is asked for at each look. */
  readonly inventoryIntervalMs?: number;
  /**
   * Makes an instance for each order that has none, and starts one whose server does not run. May be called again with the
   * same orders, also by the next process of the primary.
   *
   * @returns one outcome for each order, in their order
   */
  launch(orders: readonly LaunchOrder[]): Promise<readonly LaunchOutcome[]>;
  /**
   * Ends an instance, whose server has left or never served. Does nothing for one that does not exist.
   *
   * @throws DriverError
   */
  end(instanceId: string): Promise<void>;
  /**
   * All instances that exist.
   *
   * @returns `undefined` when the platform cannot be asked at all
   * @throws DriverError when it could not be asked now; nothing is concluded from that
   */
  inventory(): Promise<readonly Instance[] | undefined>;
  /** Lets go of the platform. Instances stay: the next process of the primary finds them. */
  close?(): Promise<void>;
}

/**
 * `soon`: throttled, or the platform was not reached. `elsewhere`: no capacity of this kind at the moment. `never`: the order or the
 * configuration is wrong, and a repetition fails as well until someone changes it.
 */
export type RetryClass = 'soon' | 'elsewhere' | 'never';

export class DriverError extends Error {
  readonly retry: RetryClass;

  constructor(message: string, retry: RetryClass, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DriverError';
    this.retry = retry;
  }
}

/** Any failure as one of a driver. */
export function asDriverError(error: unknown): DriverError {
  if (error instanceof DriverError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new DriverError(message, 'soon', { cause: error });
}

/** Grants by which instances join. */
export interface JoinGrants {
  /** @returns a token for one server of that name, which ends after a few minutes */
  issue(certname: string): Promise<string>;
}
