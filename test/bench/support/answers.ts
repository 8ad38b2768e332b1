import { records } from '../../../shared/catalogue/records.ts';

/** The operation whose answers are measured: whole address records, the longest that the service sends. */
export const operation = 'GetAddressesForPostcode';
export const namespace = 'http://bench.example/webservices';
export const recordCounts = [1, 100, 10_000] as const;

const samples: Readonly<Record<string, (index: number) => string>> = {
  Unique_Delivery_Point: (index) => String(index).padStart(8, '0'),
  Number: (index) => String((index % 90) + 1),
  Street: (index) => `Tannery Row ${index % 40}`,
  Organisation: (index) => (index % 7 === 0 ? `Smith &amp; Sons ${index}` : ''),
  Post_Town: () => 'HEREFORD',
  Postcode: (index) => `HR10 ${index % 10}DT`,
  Country: () => 'England',
  IsError: () => 'false',
  ErrorMessage: () => '',
  Return_Code: () => '1',
};

/** The answer of `operation` with that many records as .NET writes one: every field an element, empty ones self-closing. */
export function writeAnswer(count: number): string {
  const fields = records.AddressPremise.fields.map(({ name }) => name);
  const rows = Array.from({ length: count }, (_, index) => {
    const cells = fields.map((name) => {
      const text = samples[name]?.(index) ?? (name.length % 3 === 0 ? '' : `${name.slice(0, 6)} ${index % 1000}`);
      return text === '' ? `<${name} />` : `<${name}>${text}</${name}>`;
    });
    return `<AddressPremise>${cells.join('')}</AddressPremise>`;
  });
  return (
    '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>' +
    `<${operation}Response xmlns="${namespace}"><${operation}Result><IsError>false</IsError><List>${rows.join('')}</List>` +
    `<IsTruncated>false</IsTruncated><RecCount>${count}</RecCount>` +
    `</${operation}Result></${operation}Response></soap:Body></soap:Envelope>`
  );
}
