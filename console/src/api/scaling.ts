/** How much of the compile servers is used, and how many are advised. */

import type {
  ScalingEntry,
  ScalingSettingsAnswer,
  ScalingStatus,
} from '../../../src/services/autoscaler/answers/wire.ts';
import { get, post, put } from './client.ts';

export type { ScalingEntry, ScalingStatus } from '../../../src/services/autoscaler/answers/wire.ts';

export type ScalingSettings = ScalingSettingsAnswer;
export type ScalingLimits = Partial<Pick<ScalingSettings, 'min' | 'max' | 'target'>>;
export type ScaledServer = ScalingStatus['servers'][number];

const root = '/autoscaler/v1';

export async function readScaling(signal: AbortSignal): Promise<ScalingStatus> {
  return await get(`${root}/status`, {}, signal);
}

/** Entries, the newest first. @param before - the id that all of them are older than */
export async function readScalingHistory(
  limit: number,
  before: number | undefined,
  signal: AbortSignal,
): Promise<readonly ScalingEntry[]> {
  return await get(`${root}/history`, { limit, before }, signal);
}

/** What would be advised now with other limits; nothing changes. */
export async function previewScaling(settings: ScalingLimits, signal: AbortSignal): Promise<ScalingStatus> {
  const status = await post<ScalingStatus>(`${root}/preview`, settings, signal);
  if (status === undefined) throw new Error('the autoscaler has answered nothing');
  return status;
}

export async function changeScaling(settings: ScalingLimits): Promise<void> {
  await put(`${root}/settings`, settings);
}

export async function pauseScaling(isPaused: boolean): Promise<void> {
  await post(`${root}/${isPaused ? 'pause' : 'resume'}`, {});
}
