import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { namespace, operation, writeAnswer } from './answers.ts';

// Serves long answers of each kind, in a process of its own, so that its bytes are not in the program's memory. The path has the count.

const soap = (name: string, inner: string): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${name}Response xmlns="${namespace}"><${name}Result><List>${inner}</List><IsError>false</IsError></${name}Result></${name}Response></s:Body></s:Envelope>`;
const many = (count: number, one: (n: number) => string, join = ''): string =>
  Array.from({ length: count }, (_, n) => one(n)).join(join);

const bodies: Record<string, (count: number) => string> = {
  [operation]: writeAnswer,
  SearchPremise_ByPostcode: (count) =>
    soap(
      'SearchPremise_ByPostcode',
      many(
        count,
        (n) =>
          `<ListAddressPremise><List_Address>${n} High Street, Hereford, AB1 2DF</List_Address><Unique_Delivery_Point>${n}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`,
      ),
    ),
  GetLicenseList: (count) =>
    soap(
      'GetLicenseList',
      many(
        count,
        (n) =>
          `<License><ReferenceNo>WY-${n}</ReferenceNo><GUID>6d1f4c1e-0000-4000-8000-${100_000_000_000 + n}</GUID><LicenseID>${n}</LicenseID><LicenseTypeName>Premises Desktop</LicenseTypeName><ExpiryDate>31/03/2027</ExpiryDate><LicenseInUse>1</LicenseInUse><Available>0</Available><Status>A</Status><Return_Code>1</Return_Code></License>`,
      ),
    ),
  Search: (count) =>
    `{"results":[${many(
      count,
      (n) =>
        `{"id":"${n}","type":"premise","organisation":"Smith & Sons ${n}","buildingNumber":"${n % 90}","street":"Tannery Row","town":"HEREFORD","postcode":"AB1 2DF","address":"Smith & Sons ${n}, ${n % 90} Tannery Row, HEREFORD, AB1 2DF"}`,
      ',',
    )}]}`,
};

let count = 1;
const made = new Map<string, Buffer>();
const bodyOf = (name: string): Buffer => {
  const key = `${name} ${count}`;
  const body = made.get(key) ?? Buffer.from(bodies[name]?.(count) ?? '');
  made.set(key, body);
  return body;
};
process.on('message', (wanted: number) => {
  count = wanted;
  process.send?.('ready');
});
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (url.searchParams.has('WSDL') || url.search.toLowerCase() === '?wsdl') {
      response.writeHead(404).end();
      return;
    }
    const action = String(request.headers.soapaction ?? '').replaceAll('"', '');
    const body = bodyOf(request.method === 'GET' ? 'Search' : action.slice(action.lastIndexOf('/') + 1));
    response
      .writeHead(200, { 'content-type': request.method === 'GET' ? 'application/json' : 'text/xml; charset=utf-8' })
      .end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
