/** What agents did. */

export { httpProcessor } from './http-processor.ts';
export { logProcessor } from './log-processor.ts';
export { readReport } from './read-report.ts';
export { ReportService, type ReportServiceOptions } from './report-service.ts';
export { type ReportAnswer, type ReportQuestion, type ReportThread, reportReader } from './report-thread.ts';
export { reportRoutes } from './routes.ts';
export { renderReport, storeProcessor } from './store-processor.ts';
export type { ReportProcessor } from './termini.ts';
export { decodeReport, type Report } from './wire.ts';
