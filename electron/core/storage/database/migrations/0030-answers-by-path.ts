import type { Migration } from './migration.ts';

const origin = `substr(account, 1, instr(account, ' ') - 1)`;

/**
 * An answer is of the service that gave it (serviceOf), not of all that are at its origin: its own request names the path. Over REST the path of the
 * endpoint follows the service's, over SOAP there is none. Where no request names one the origin alone stays, which is no service.
 */
export const answersByPath: Migration = {
  number: 30,
  name: 'answers-by-path',
  tables: '9948e12b7d69bb7f',
  sql: `
    UPDATE held_answers SET account = found.service || iif(found.service = found.origin, '/', '') || found.payer
    FROM (
      SELECT rowid AS answer, ${origin} AS origin, substr(account, instr(account, ' ')) AS payer,
        rtrim(iif(interface = 'rest', substr(url, 1, instr(url, '/' || operation || '?') - 1), url), '/') AS service
      FROM (SELECT rowid, account, interface, operation, value ->> '$.request.url' AS url FROM held_answers
        WHERE account LIKE 'http%')
    ) AS found
    WHERE held_answers.rowid = found.answer AND instr(found.service, found.origin) = 1;
  `,
};
