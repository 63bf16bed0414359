export { type Compiled, type PoolCompiled, WorkerPool } from './worker-pool.ts';
