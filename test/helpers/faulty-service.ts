import net, { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * A lookup service on plain sockets that fails in one chosen way at one chosen request. It is written from the interface specification
 * alone and shares no code with the clients that it tests, nor with the demo service.
 */

export interface Fault {
  name: string;
  /**
   * What is true of the charge if the faulted request arrived. `sure`: nothing was charged, and the program can know that.
   * `open`: it cannot know. `fine`: the answer is still usable. `any`: the two protocols differ, and both are right.
   */
  truth: 'sure' | 'open' | 'fine' | 'any';
  /** A fault that looks the same to the program above its transport: the same error code, and the same statement about the charge. */
  like?: string;
  /** The same for calls over SOAP alone. */
  likeOverSoap?: string;
  /** Ends only by the program's time limit. */
  slow?: true;
  /** gone: nothing listens when the faulted request is due; cut: connections are closed before a byte is read. */
  before?: 'gone' | 'cut';
  /** Answers the faulted request; `body` is the body of a good answer. */
  answer?(socket: Socket, body: Buffer, request: string): void;
}

const head = (status: string, length: number | null, more = ''): string =>
  `HTTP/1.1 ${status}\r\n${length === null ? '' : `content-length: ${length}\r\n`}${more}connection: close\r\n\r\n`;
const whole = (status: string, body: string | Buffer, more = ''): Buffer => {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(head(status, bytes.length, more), 'latin1'), bytes]);
};
const says =
  (status: string, body: string | Buffer = 'No.', more = ''): NonNullable<Fault['answer']> =>
  (socket) =>
    void socket.end(whole(status, body, more));
const html = 'content-type: text/html\r\n';
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome to Hotel Wi-Fi</body></html>';
const half = (body: Buffer): Buffer => body.subarray(0, Math.ceil(body.length / 2));
const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, 32), { level: 9 });
const envelope = (body: string): string =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`;
const trace =
  'System.NullReferenceException: Object reference not set\r\n   at Lookup.Service.Find(String key) line 42';

export const faults: readonly Fault[] = [
  { name: 'nobody listens', truth: 'sure', before: 'gone' },
  // Like no other: it may end the connection before or after the request is sent.
  { name: 'cut as it connects', truth: 'open', before: 'cut' },
  { name: 'silence', truth: 'open', slow: true, answer: () => {} },
  { name: 'reset', truth: 'open', like: 'closed door', answer: (socket) => void socket.resetAndDestroy() },
  { name: 'closed door', truth: 'open', answer: (socket) => void socket.end() },
  {
    name: 'half a head, closed',
    truth: 'open',
    like: 'closed door',
    answer: (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-'),
  },
  {
    name: 'half a head, silence',
    truth: 'open',
    like: 'silence',
    slow: true,
    answer: (socket) => void socket.write('HTTP/1.1 200 O'),
  },
  {
    name: 'half a body, closed',
    truth: 'open',
    like: 'closed door',
    answer: (socket, body) => void socket.end(Buffer.concat([Buffer.from(head('200 OK', body.length)), half(body)])),
  },
  {
    name: 'half a body, reset',
    truth: 'open',
    like: 'closed door',
    answer: (socket, body) =>
      void socket.write(Buffer.concat([Buffer.from(head('200 OK', body.length)), half(body)]), () =>
        socket.resetAndDestroy(),
      ),
  },
  {
    name: 'half a body, silence',
    truth: 'open',
    like: 'silence',
    slow: true,
    answer: (socket, body) => void socket.write(Buffer.concat([Buffer.from(head('200 OK', body.length)), half(body)])),
  },
  {
    name: 'drops of a body',
    truth: 'open',
    like: 'silence',
    slow: true,
    answer: (socket, body) => {
      socket.write(head('200 OK', body.length + 10_000));
      const drip = setInterval(() => void socket.write(' '), 100);
      socket.on('close', () => clearInterval(drip));
    },
  },
  {
    name: 'chunks without end',
    truth: 'open',
    like: 'closed door',
    answer: (socket, body) =>
      void socket.end(
        Buffer.concat([
          Buffer.from(`${head('200 OK', null, 'transfer-encoding: chunked\r\n')}${body.length.toString(16)}\r\n`),
          body,
          Buffer.from('\r\n'),
        ]),
      ),
  },
  {
    name: 'a chunk of no number',
    truth: 'open',
    like: 'half a document',
    answer: (socket) => void socket.end(`${head('200 OK', null, 'transfer-encoding: chunked\r\n')}zz\r\n`),
  },
  {
    name: 'two lengths',
    truth: 'open',
    like: 'half a document',
    answer: (socket, body) =>
      void socket.end(Buffer.concat([Buffer.from(head('200 OK', 1, `content-length: ${body.length}\r\n`)), body])),
  },
  { name: 'nothing in it', truth: 'open', like: 'half a document', answer: says('200 OK', '') },
  { name: 'blanks', truth: 'open', like: 'half a document', answer: says('200 OK', ' \r\n\t ') },
  {
    name: 'plain words',
    truth: 'open',
    like: 'half a document',
    answer: says('200 OK', 'Down for maintenance, back soon'),
  },
  {
    name: 'binary',
    truth: 'open',
    like: 'half a document',
    answer: says('200 OK', Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 255])),
  },
  { name: 'half a document', truth: 'open', answer: (socket, body) => void socket.end(whole('200 OK', half(body))) },
  {
    name: 'another document',
    truth: 'open',
    like: 'half a document',
    answer: says('200 OK', '<rss><channel/></rss>', 'content-type: text/xml\r\n'),
  },
  { name: 'a list of nothing', truth: 'any', answer: says('200 OK', '[]', 'content-type: application/json\r\n') },
  { name: 'a sign-in page', truth: 'open', answer: says('200 OK', page, html) },
  {
    name: 'a gateway’s page',
    truth: 'open',
    like: '500 that quotes the request',
    answer: says('502 Bad Gateway', page, html),
  },
  {
    name: 'sign in to the network',
    truth: 'sure',
    like: 'a sign-in page',
    answer: says('511 Network Authentication Required', page, html),
  },
  { name: 'redirected elsewhere', truth: 'sure', answer: says('302 Found', '', 'location: /elsewhere/Search\r\n') },
  {
    name: 'redirected in a circle',
    truth: 'sure',
    like: 'redirected elsewhere',
    answer: (socket, _body, request) =>
      void socket.end(whole('307 Temporary Redirect', '', `location: ${request.split(' ')[1]?.split('?')[0]}\r\n`)),
  },
  {
    name: '204',
    truth: 'open',
    like: 'half a document',
    answer: (socket) => void socket.end(head('204 No Content', null)),
  },
  { name: '400', truth: 'open', answer: says('400 Bad Request') },
  { name: '401', truth: 'sure', answer: says('401 Unauthorized') },
  { name: '402', truth: 'any', answer: says('402 Payment Required') },
  { name: '403', truth: 'sure', answer: says('403 Forbidden') },
  { name: '404', truth: 'any', answer: says('404 Not Found') },
  {
    name: '407',
    truth: 'sure',
    like: '500 that quotes the request',
    answer: says('407 Proxy Authentication Required'),
  },
  { name: '429', truth: 'sure', answer: says('429 Too Many Requests', 'Slow down', 'retry-after: 30\r\n') },
  {
    name: '500 with a stack trace',
    truth: 'open',
    like: '500 that quotes the request',
    answer: says('500 Internal Server Error', trace),
  },
  {
    name: '500 that quotes the request',
    truth: 'open',
    answer: (socket, _body, request) =>
      void socket.end(
        whole('500 Oops', `${request}\n${encodeURIComponent(request)}\n${Buffer.from(request).toString('base64')}`),
      ),
  },
  {
    name: '503',
    truth: 'open',
    like: '500 that quotes the request',
    answer: says('503 Service Unavailable', '', 'retry-after: 120\r\n'),
  },
  {
    name: 'a fault that quotes the request',
    truth: 'open',
    answer: (socket, _body, request) => {
      const quoted = request.replace(/[<>&]/g, ' ');
      const fault = `<e:Fault><faultcode>e:Server</faultcode><faultstring>${quoted}</faultstring></e:Fault>`;
      socket.end(whole('500 Internal Server Error', envelope(fault), 'content-type: text/xml\r\n'));
    },
  },
  {
    name: 'an error in 200',
    truth: 'open',
    answer: says('200 OK', '{"error":{"code":"oops","message":"undefined"}}', 'content-type: application/json\r\n'),
  },
  {
    name: 'an entity bomb',
    truth: 'open',
    answer: says(
      '200 OK',
      `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>${envelope('&b;&c;')}`,
      'content-type: text/xml\r\n',
    ),
  },
  {
    name: 'nested without end',
    truth: 'open',
    like: 'an entity bomb',
    answer: (socket, body) => {
      const xml = body.toString('latin1').trimStart().startsWith('<');
      socket.end(whole('200 OK', xml ? envelope('<a>'.repeat(5000)) : '{"item":'.repeat(5000)));
    },
  },
  // 33 MB are over the limit of REST, and within that of SOAP, for which they are a document of blanks.
  {
    name: 'a packed bomb',
    truth: 'open',
    likeOverSoap: 'half a document',
    answer: says('200 OK', bomb, 'content-encoding: gzip\r\n'),
  },
  {
    name: 'a broken packing',
    truth: 'open',
    like: 'half a document',
    answer: (socket, body) =>
      void socket.end(whole('200 OK', gzipSync(body).subarray(0, -9), 'content-encoding: gzip\r\n')),
  },
  {
    name: 'a packing nobody asked for',
    truth: 'open',
    like: 'half a document',
    answer: says('200 OK', 'xx', 'content-encoding: zstd\r\n'),
  },
  {
    name: 'a head without end',
    truth: 'open',
    answer: (socket) => void socket.end(`HTTP/1.1 200 OK\r\n${'x-filler: yes\r\n'.repeat(20_000)}`),
  },
  {
    name: 'another protocol',
    truth: 'open',
    like: 'half a document',
    answer: (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  },
  {
    name: 'another version of HTTP',
    truth: 'open',
    like: 'half a document',
    answer: (socket) => void socket.end('HTTP/9.9 200 OK\r\n\r\n'),
  },
  {
    name: 'an upgrade nobody asked for',
    truth: 'open',
    like: 'closed door',
    answer: (socket) =>
      void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  },
  {
    name: 'the wrong type',
    truth: 'fine',
    answer: (socket, body) => void socket.end(whole('200 OK', body, 'content-type: image/png\r\n')),
  },
  {
    name: 'a charset that does not exist',
    truth: 'fine',
    like: 'the wrong type',
    answer: (socket, body) => void socket.end(whole('200 OK', body, 'content-type: text/xml; charset=utf-99\r\n')),
  },
  {
    name: 'a byte order mark',
    truth: 'fine',
    like: 'the wrong type',
    answer: (socket, body) => void socket.end(whole('200 OK', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]))),
  },
  {
    name: 'early hints first',
    truth: 'fine',
    like: 'the wrong type',
    answer: (socket, body) =>
      void socket.end(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), whole('200 OK', body)])),
  },
  {
    name: 'late',
    truth: 'fine',
    like: 'the wrong type',
    answer: (socket, body) => void setTimeout(() => socket.end(whole('200 OK', body)), 60),
  },
];

/** The request that meets the fault: the nth with that name after `arm`. */
export interface Target {
  name: string;
  nth?: number;
  /** Every one from the nth on until `mend`. */
  onwards?: boolean;
  /** For `gone` and `cut`: the name of the request after whose answer the service closes. Without it, the service closes in `arm`. */
  after?: string;
}

export interface FaultyService {
  restBaseUrl: string;
  soapUrl: string;
  /** Number of requests that arrived complete since `arm`, by name. */
  hits: Map<string, number>;
  connections: number;
  /** The licences on each machine, by the machine's name. */
  bound: Map<string, Set<string>>;
  /** From now on the target meets the fault. */
  arm(fault: Fault, target: Target): Promise<void>;
  /** Ends the fault and resets the counts. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

const namespace = 'urn:faulty';

export async function startFaultyService(): Promise<FaultyService> {
  const sockets = new Set<Socket>();
  const bound = new Map([['HERE', new Set(['20418'])]]);
  const hits = new Map<string, number>();
  let armed: { fault: Fault; target: Target } | undefined;
  let cutting = false;

  const server = net.createServer({ allowHalfOpen: false }, (socket) => {
    service.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (cutting) {
      socket.resetAndDestroy();
      return;
    }
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.subarray(0, end).toString('latin1'))?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      const request = pending.toString('utf8');
      pending = Buffer.alloc(0);
      answer(socket, request);
    });
  });

  function answer(socket: Socket, request: string): void {
    const name = nameOf(request);
    const nth = (hits.get(name) ?? 0) + 1;
    hits.set(name, nth);
    const good = goodAnswer(name, request, bound);
    if (armed?.fault.answer && armed.target.name === name && isMeant(armed.target, nth)) {
      armed.fault.answer(socket, Buffer.from(good.body), request);
      return;
    }
    const shut = armed?.fault.before && armed.target.after === name && armed.target.after !== undefined;
    if (shut) shutDoor();
    socket.end(whole(good.status, good.body, `content-type: ${good.type}\r\n`));
  }

  const isMeant = ({ nth: first = 1, onwards = false }: Target, nth: number) =>
    onwards ? nth >= first : nth === first;

  function shutDoor(): void {
    if (armed?.fault.before === 'cut') cutting = true;
    else server.close();
  }

  const listen = (port: number): Promise<void> =>
    new Promise((done, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        done();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const service: FaultyService = {
    restBaseUrl: `${origin}/v1`,
    soapUrl: `${origin}/lookup.asmx`,
    hits,
    connections: 0,
    bound,
    async arm(fault, target) {
      hits.clear();
      service.connections = 0;
      armed = { fault, target };
      if (fault.before && target.after === undefined) shutDoor();
    },
    async mend() {
      armed = undefined;
      cutting = false;
      hits.clear();
      if (!server.listening) await listen(port);
    },
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        if (server.listening) server.close(() => done());
        else done();
      }),
  };
  return service;
}

/** The name of a request: description, the REST endpoint, or the element in the envelope's body. */
function nameOf(request: string): string {
  const path = request.split(' ')[1] ?? '';
  if (/\?wsdl$/i.test(path)) return 'description';
  if (request.startsWith('GET')) return path.split('?')[0]?.split('/').at(-1) ?? '';
  return /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(request)?.[1] ?? 'unreadable';
}

const fieldOf = (request: string, name: string): string =>
  new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^<]*)<`).exec(request)?.[1] ?? '';

const address = {
  id: '00000001',
  line1: '1 High Street',
  postalCode: 'AB1 2DF',
  lat: '51.5',
  long: '-0.1',
  udprn: '1',
};
const licence = (id: string): string =>
  `<License><ReferenceNo>WY-${id}</ReferenceNo><AcccountName>WYE</AcccountName><GUID>5c0ffee5-1234-4a2b-9c3d-feedfeedfeed</GUID><LicenseID>${id}</LicenseID><LicenseTypeName>Desktop</LicenseTypeName><ExpiryDate>31/03/2099</ExpiryDate><LicenseInUse>0</LicenseInUse><Available>3</Available><Status>A</Status><Return_Code>1</Return_Code></License>`;
const nearest = (postcode: string): string =>
  `<Nearest><Postcode_Return>${postcode}</Postcode_Return><Distance_Metres>1200</Distance_Metres><Return_Code>1</Return_Code></Nearest>`;
const row = `<Table><Postcode>AB1 2DF</Postcode><Return_Code>1</Return_Code></Table>`;

function goodAnswer(
  name: string,
  request: string,
  bound: Map<string, Set<string>>,
): { status: string; type: string; body: string } {
  const json = (value: unknown) => ({ status: '200 OK', type: 'application/json', body: JSON.stringify(value) });
  const list = (content: string) => `<List>${content}</List>`;
  const flagged = (content: string) => `${list(content)}<IsError>false</IsError>`;
  const machine = fieldOf(request, 'sMachineName');
  const results: Record<string, () => string> = {
    SearchPremise_ByPostcode: () =>
      flagged(
        '<ListAddressPremise><List_Address>1 High Street, AB1 2DF</List_Address><Unique_Delivery_Point>00000001</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>',
      ),
    SearchPremise_ByWordMatchOnAll: () => results.SearchPremise_ByPostcode?.() ?? '',
    GetPremiseAddress: () =>
      list(
        '<AddressPremise><Unique_Delivery_Point>00000001</Unique_Delivery_Point><Number>1</Number><Street>High Street</Street><Post_Town>TOWN</Post_Town><Postcode>AB1 2DF</Postcode><Return_Code>1</Return_Code></AddressPremise>',
      ),
    GeoData_ForPostcode: () =>
      list('<Geographic><Postcode>AB1 2DF</Postcode><x_Coord>1</x_Coord><Return_Code>1</Return_Code></Geographic>'),
    GeoData_ForPostcode_Dataset: () =>
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" id="NewDataSet"><xs:element name="NewDataSet"/></xs:schema><d:diffgram xmlns:d="urn:schemas-microsoft-com:xml-diffgram-v1"><NewDataSet>${row}</NewDataSet></d:diffgram>`,
    DistanceBetween_Postcodes: () => list(nearest('AB1 2CE')),
    NearestData_ForPostcode: () => list(`${nearest('AB1 2CE')}${nearest('AB1 2CF')}`),
    ServiceTest: () => 'Service running. 412 credits available.',
    GetAvailableCredits: () => '412',
    GetLicenseList: () => flagged(['20418', '20419', '20420'].map(licence).join('')),
    GetLicenseDetails: () => flagged([...(bound.get(machine) ?? [])].map(licence).join('')),
    RegisterLicense: () => {
      bound.set(machine, new Set([...(bound.get(machine) ?? []), fieldOf(request, 'iLicenseID')]));
      return 'OK';
    },
    UnregisterLicense: () => {
      bound.get(machine)?.delete(fieldOf(request, 'iLicenseID'));
      return 'OK';
    },
  };
  const rest: Record<string, unknown> = {
    Search: {
      results: [{ id: '00000001', address: '1 High Street, Town, AB1 2DF', postcode: 'AB1 2DF' }],
      totalResults: 1,
    },
    GetPremise: { item: { ...address, ...(/[?&]uprn=true/.test(request) ? { uprn: '100012345678' } : {}) } },
    GetPremiseGeoData: { item: { id: '00000001', lat: '51.5', long: '-0.1', uprn: '100012345678', udprn: '1' } },
    GetCredits: { credits: 388 },
  };
  if (name === 'description') return { status: '200 OK', type: 'text/xml', body: description };
  if (request.startsWith('GET'))
    return name in rest ? json(rest[name]) : { status: '404 Not Found', type: 'text/plain', body: 'No.' };
  const result = results[name]?.();
  if (result === undefined) return { status: '500 Oops', type: 'text/plain', body: `No ${name}.` };
  const answered = `<${name}Response xmlns="${namespace}"><${name}Result>${result}</${name}Result></${name}Response>`;
  const soap12 = /content-type: application\/soap\+xml/i.test(request);
  const body = `<e:Envelope xmlns:e="${soap12 ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'}"><e:Body>${answered}</e:Body></e:Envelope>`;
  return { status: '200 OK', type: 'text/xml; charset=utf-8', body };
}

/** A description with few operations, which is no error: calls of the others go by the published rules. */
const description = `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:q="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="${namespace}" targetNamespace="${namespace}">
<w:types><x:schema targetNamespace="${namespace}" elementFormDefault="qualified">
<x:element name="ServiceTest"><x:complexType><x:sequence><x:element name="AccountName" type="x:string" minOccurs="0"/><x:element name="LicenceID" type="x:string" minOccurs="0"/><x:element name="MachineID" type="x:string" minOccurs="0"/></x:sequence></x:complexType></x:element>
<x:element name="ServiceTestResponse"><x:complexType><x:sequence><x:element name="ServiceTestResult" type="x:string" minOccurs="0"/></x:sequence></x:complexType></x:element>
</x:schema></w:types>
<w:message name="i"><w:part name="parameters" element="t:ServiceTest"/></w:message><w:message name="o"><w:part name="parameters" element="t:ServiceTestResponse"/></w:message>
<w:portType name="P"><w:operation name="ServiceTest"><w:input message="t:i"/><w:output message="t:o"/></w:operation></w:portType>
<w:binding name="B" type="t:P"><q:binding transport="http://schemas.xmlsoap.org/soap/http"/><w:operation name="ServiceTest"><q:operation soapAction="${namespace}/ServiceTest"/><w:input><q:body use="literal"/></w:input><w:output><q:body use="literal"/></w:output></w:operation></w:binding>
<w:service name="S"><w:port name="P" binding="t:B"><q:address location="http://127.0.0.1/lookup.asmx"/></w:port></w:service>
</w:definitions>`;
