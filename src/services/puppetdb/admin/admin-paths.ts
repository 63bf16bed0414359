/** What is asked of the threads that read besides queries. */

export const archivePath = '/pdb/admin/v1/archive';
export const statsPath = '/pdb/admin/v1/summary-stats';
/** For metrics; no route. */
export const populationPath = '/population';
