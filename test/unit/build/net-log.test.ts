import { expect, it } from 'vitest';
import { hostsInNetLog } from '../../../build/package/net-log.ts';

// Lines in Chromium's format: constants first, then one event on each line, and no end because the program was killed.
const start =
  '{"constants": {"logEventTypes": {"URL_REQUEST_START_JOB": 2}, "url": "https://constant.example/"},\n"events": [\n';
const event = (params: object) =>
  `{"params":${JSON.stringify(params)},"phase":1,"source":{"id":7,"type":1},"time":"1","type":2},\n`;

it('names every server in the log, and not this computer', () => {
  const log = [
    start,
    event({ url: 'https://redirector.gvt1.com/edgedl/chrome/dict/en-gb-10-1.bdic', method: 'GET' }),
    event({ host: 'update.googleapis.com:443' }),
    event({ origin: 'wss://a.example:8443' }),
    event({ destination: 'direct' in {} ? '' : 'b.example' }),
    event({ url: 'http://127.0.0.1:41523/v1', host: 'localhost' }),
    event({ host: '[::1]:80' }),
    event({ url: 'app://console/index.html' }),
    event({ url: 'data:text/plain,x', host: '' }),
    '{"phase":1,"type":3},\n',
    '{"params":{"url":"https://cut.exam',
  ].join('');
  expect(hostsInNetLog(log)).toEqual(['a.example', 'b.example', 'redirector.gvt1.com', 'update.googleapis.com']);
  expect(hostsInNetLog(start)).toEqual([]);
  expect(hostsInNetLog('')).toEqual([]);
});
