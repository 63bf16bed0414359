import { expect, test } from 'vitest';
import { decodeCatalogRequest, mergeForm } from './wire.ts';

test('what the query says counts more than the form', () => {
  const form = mergeForm(
    new URLSearchParams('environment=asked&transaction_uuid=1'),
    new URLSearchParams('environment=posted&facts=%257B%257D&facts_format=pson&job_id=7'),
  );

  expect(decodeCatalogRequest(form, 'application/json')).toMatchObject({
    environment: 'asked',
    facts: { text: '%7B%7D', format: 'pson' },
    transactionUuid: '1',
    jobId: '7',
  });
});

// Each field cost a search through those before it: a body of 15 MB kept the main thread for many minutes.
test('a form with hundreds of thousands of fields is read like any other', () => {
  const fields = Array.from({ length: 200_000 }, (_, index) => `field${index}=1`).join('&');

  const form = mergeForm(
    new URLSearchParams('environment=production'),
    new URLSearchParams(`${fields}&transaction_uuid=1`),
  );

  expect(decodeCatalogRequest(form, 'application/json')).toMatchObject({ transactionUuid: '1' });
});
