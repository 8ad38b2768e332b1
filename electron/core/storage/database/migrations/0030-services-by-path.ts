import type { Migration } from './migration.ts';

/**
 * What is stored of a service is found by it (serviceOf), and earlier versions wrote another text for it: an answer had the origin alone.
 *
 * An answer's own request names the path. Over REST that of the endpoint follows the service's; over SOAP it goes where the description says, so
 * that the service is the connection's own address, if that has not been edited since. Where nothing names one the origin alone stays,
 * which is no service.
 */
export const servicesByPath: Migration = {
  number: 30,
  name: 'services-by-path',
  tables: '9948e12b7d69bb7f',
  sql: `
    UPDATE held_answers SET account = found.service || found.payer
    FROM (
      SELECT answer, substr(account, 1, instr(account, ' ') - 1) AS origin, substr(account, instr(account, ' ')) AS payer,
        service_at(iif(interface = 'rest', substr(url, 1, instr(url, '/' || operation || '?') - 1),
          coalesce(c.draft ->> '$.soapUrl', url))) AS service
      FROM (SELECT rowid AS answer, account, interface, operation, connection_id, at,
          value ->> '$.request.url' AS url
        FROM held_answers WHERE account LIKE 'http%') AS a
      LEFT JOIN connections c ON c.id = a.connection_id AND c.updated_at <= a.at
    ) AS found
    WHERE held_answers.rowid = found.answer AND instr(found.service, found.origin || '/') = 1;
  `,
};
