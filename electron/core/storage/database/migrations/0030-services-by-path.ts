import type { Migration } from './migration.ts';

/** What was read of licences, by the connection and, where it was put aside, by the place that it was read at (placeOfLicences). */
const reads = ['licence_reading', 'machine_holding', 'machine_history', 'machine_failure', 'machine_scan'];
const names = reads.map((table) => `SELECT connection_id AS name FROM ${table}`).join(' UNION ');

/**
 * What is stored of a service is found by it (serviceOf), and earlier versions wrote another text for it: an answer had the origin alone, a
 * place the address as it was typed.
 *
 * An answer's own request names the path. Over REST that of the endpoint follows the service's; over SOAP it goes where the description says, so
 * that the service is the connection's own address, if that has not been edited since. Where nothing names one the origin alone stays,
 * which is no service.
 *
 * What was put aside of the place to which the connection leads now is its own again. Readings of one place under two texts are not mixed, since
 * their order would be lost: those that are found already stay.
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

    CREATE TEMP TABLE aside AS
      SELECT min(name) AS name, iif(place = here, id, id || ' ' || place) AS now
      FROM (
        SELECT name, id, service_at(substr(place, 1, instr(place, ' ') - 1)) || substr(place, instr(place, ' ')) AS place,
          (SELECT service_at(draft ->> '$.soapUrl') || ' ' || trim(draft ->> '$.accountName')
            FROM connections WHERE connections.id = put.id) AS here
        FROM (
          SELECT name, substr(name, 1, instr(name, ' ') - 1) AS id, substr(name, instr(name, ' ') + 1) AS place
          FROM (${names})
        ) AS put
        WHERE place LIKE 'http% %'
      )
      GROUP BY 2 HAVING now NOT IN (${names});
    ${reads
      .map((table) => `UPDATE ${table} SET connection_id = aside.now FROM aside WHERE connection_id = aside.name;`)
      .join('\n    ')}
    DROP TABLE temp.aside;
  `,
};
