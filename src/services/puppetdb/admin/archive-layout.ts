/** Where things are in an archive. */

export const archiveRoot = 'puppetdb-bak';

export const metadataFile = 'export-metadata.json';
