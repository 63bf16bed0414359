/** What people set while it runs. */

export interface ScalingSettings {
  readonly min: number;
  readonly max: number;
  /** The share of the capacity that steady load is to use. */
  readonly target: number;
  readonly isPaused: boolean;
}

/** One server more than steady load needs, in case one is lost. */
export const spareServers = 1;

export const firstSettings: ScalingSettings = { min: 1, max: 50, target: 0.6, isPaused: false };
