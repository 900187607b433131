/** Records to search in. */
import { adding, day, recordsAfter } from './making.ts';

export const now = Date.parse(day(30));

const notes = [
  adding('Retries of the payment client are bounded to three.', {
    title: 'Payment retries',
    tags: ['payment'],
  }),
  adding('The importer drops rows without a currency.', { title: 'Importer and currencies' }),
  adding('orderTotal rounds once, at the end.', { title: 'Rounding' }),
  adding('A payment is mentioned here once among many other words on logging and tracing.', {
    title: 'Logging',
  }),
  adding('Umläute in Namen: Straße, café.', { title: 'Names' }),
  adding('Never change files below vendor/.', { title: 'Vendor', kind: 'constraint' }),
];

export const records = recordsAfter(notes);
