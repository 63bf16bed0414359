/** What agents did. */

export { logProcessor } from './log-processor.ts';
export { ReportService, type ReportServiceOptions } from './report-service.ts';
export { reportRoutes } from './routes.ts';
export { ReportStore, reportMigrations } from './store.ts';
export type { ReportSink } from './termini.ts';
export { decodeReport } from './wire.ts';
