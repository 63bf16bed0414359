/** What agents did. */

export { logProcessor } from './log-processor.ts';
export { ReportService, type ReportServiceOptions } from './report-service.ts';
export { reportRoutes } from './routes.ts';
export { ReportStore, type ReportSummary, reportMigrations, type StoredReport } from './store.ts';
export type { EnvironmentTerminus, ReportProcessor, ReportSink } from './termini.ts';
export { decodeReport, type LogEntry, type Metrics, type Report } from './wire.ts';
