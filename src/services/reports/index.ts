/** What agents did. */

export { answerReports } from './answer-reports.ts';
export { httpProcessor } from './http-processor.ts';
export { logProcessor } from './log-processor.ts';
export { ReportService, type ReportServiceOptions } from './report-service.ts';
export { ReportThread } from './report-thread.ts';
export { reportRoutes } from './routes.ts';
export { renderReport, storeProcessor } from './store-processor.ts';
export type { ReportProcessor } from './termini.ts';
export { decodeReport, type Report } from './wire.ts';
