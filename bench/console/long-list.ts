/** A list of all nodes, scrolled to its end. */

import { settled } from '../../console/test/support/browser.ts';
import { quantile } from '../figures.ts';
import { type BenchWindow, heapMiB } from './browser-window.ts';
import { budget } from './budgets.ts';

const longestMs = 120_000;
const mostElements = 5000;
/** Two frames: one was left out. */
const droppedMs = 34;

interface Scrolled {
  readonly rows: number;
  readonly elements: number;
  readonly frames: readonly number[];
}

/** Scrolls to the end again and again, as rows come, and notes each frame. */
const scroll = `new Promise((resolve) => {
  const frames = [];
  let elements = 0;
  let last = performance.now();
  const end = last + ${longestMs};
  const step = (now) => {
    frames.push(now - last);
    last = now;
    if (frames.length % 20 === 0) elements = Math.max(elements, document.querySelectorAll('*').length);
    const indices = Array.from(document.querySelectorAll('main [role=row]'), (row) => Number(row.ariaRowIndex));
    const rows = Math.max(...indices) - 1;
    const total = Number(document.querySelector('main [role=table]').ariaRowCount) - 1;
    if (rows >= total || now > end) return resolve({ rows, elements, frames });
    scrollTo(0, document.documentElement.scrollHeight);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

export async function measureLongList(window: BenchWindow, origin: string, nodes: number): Promise<void> {
  const { page } = window;
  await page.goto(`${origin}/nodes`);
  await settled(page);
  const beforeMiB = await heapMiB(window);
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/nodes/query')) requests++;
  });
  const startedMs = performance.now();
  const { elements, frames, rows } = await page.evaluate<Scrolled>(scroll);
  const seconds = (performance.now() - startedMs) / 1000;
  const afterMiB = await heapMiB(window);
  console.log(
    `${rows} of ${nodes} rows scrolled in ${seconds.toFixed(0)} s with ${requests} requests; ` +
      `frames p50 ${quantile(frames, 0.5).toFixed(0)} ms, p95 ${quantile(frames, 0.95).toFixed(0)} ms, longest ${quantile(frames, 1).toFixed(0)} ms; ` +
      `${elements} elements at most; heap ${beforeMiB.toFixed(0)} MiB before, ${afterMiB.toFixed(0)} MiB after`,
  );
  const late = (frames.filter((ms) => ms > droppedMs).length / frames.length) * 100;
  console.log(`${late.toFixed(1)} % of the frames took longer than ${droppedMs} ms`);
  budget({ what: 'rows of the list not reached', value: nodes - rows, most: 0, unit: 'rows' });
  budget({
    what: 'elements of the list while it is scrolled',
    value: elements,
    most: mostElements,
    unit: 'elements',
  });
}
