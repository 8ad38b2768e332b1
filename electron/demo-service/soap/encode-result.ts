import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import type { DemoSettings } from '../options.ts';
import type { Answer, Row } from './answer.ts';
import { encodeDataset } from './encode-dataset.ts';
import { guideAddressFields, type ServedOperation } from './served-operations.ts';
import { element, escapeXml, textElement } from './xml-write.ts';

/** Content of the `…Result` element; undefined if the answer is a SOAP fault. */
export function encodeResult(answer: Answer, operation: ServedOperation, settings: DemoSettings): string | undefined {
  if (answer.kind === 'fault') return undefined;
  const { result } = operation;
  if (result === 'string') return escapeXml(answer.kind === 'text' ? answer.text : messageOf(answer));
  if (result === 'integer') return String(answer.kind === 'integer' ? answer.value : -1);
  if (result === 'guide-addresses') return encodeGuideAddresses(answer);
  const rows = rowsOf(answer);
  if (operation.dataset) {
    const silent = isNothing(answer) && settings.nothing !== 'record';
    return encodeDataset(recordOf(result), silent ? [] : rows, settings);
  }
  const definition: RecordDef = records[result];
  if (definition.listOf === undefined) return encodeRecord(definition, rows[0] ?? {}, answer, settings);
  return encodeList(definition, rows, answer, settings);
}

const messageOf = (answer: Answer): string => (answer.kind === 'problem' ? answer.message : '');
const isNothing = (answer: Answer): boolean => answer.kind === 'problem' && answer.code === '0';
const isFailure = (answer: Answer): boolean => answer.kind === 'problem' && answer.code !== '0';

/** The name of the record that a list contains, or the given name if it is a record. */
function recordOf(name: RecordName): RecordName {
  const definition: RecordDef = records[name];
  return (definition.listOf ?? name) as RecordName;
}

function rowsOf(answer: Answer): Row[] {
  if (answer.kind === 'records') return answer.rows.map((row) => ({ ...row, Return_Code: '1' }));
  return answer.kind === 'problem' ? [{ Return_Code: answer.code }] : [];
}

/** The fields that report a failure in lists and in AddressPremise. */
function statusFields(answer: Answer, flagged: boolean): Row {
  const records = answer.kind === 'records' ? answer.rows.length : 0;
  return {
    IsError: String(flagged && isFailure(answer)),
    ErrorMessage: flagged && isFailure(answer) ? messageOf(answer) : '',
    IsTruncated: String(answer.kind === 'records' && answer.truncated === true),
    RecCount: String(records),
  };
}

function encodeRecord(definition: RecordDef, row: Row, answer: Answer, settings: DemoSettings): string {
  return encodeFields(definition, { ...statusFields(answer, settings.errors !== 'code'), ...row }, settings);
}

/** Fields in order. Empty ones are empty elements (field notes: seen) or, with the option `empty`, omitted if the schema allows it. */
function encodeFields({ fields }: RecordDef, values: Row, settings: DemoSettings): string {
  let written = '';
  for (const { name, required } of fields) {
    const value = values[name] ?? '';
    if (value !== '' || required || settings.empty === 'element') written += textElement(name, value);
  }
  return written;
}

function encodeList(definition: RecordDef, rows: readonly Row[], answer: Answer, settings: DemoSettings): string {
  const childName = definition.listOf as RecordName;
  const child: RecordDef = records[childName];
  const carriesFlag = definition.fields.some(({ name }) => name === 'IsError');
  const nothing = isNothing(answer) && settings.nothing !== 'record';
  const flagOnly = carriesFlag && isFailure(answer) && settings.errors === 'flag';
  const members = (nothing || flagOnly ? [] : rows).map((row) =>
    element(childName, encodeRecord(child, row, answer, settings)),
  );
  if (settings.nilMembers && members.length > 0)
    members.push(
      element(childName, '', { 'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance', 'xsi:nil': 'true' }),
    );
  const list = nothing && settings.nothing === 'absent' ? '' : element('List', members.join(''));
  return list + encodeFields(definition, statusFields(answer, settings.errors !== 'code'), settings);
}

function encodeGuideAddresses(answer: Answer): string {
  if (answer.kind !== 'records') return '';
  return answer.rows
    .map((row) => element('Address', guideAddressFields.map((name) => textElement(name, row[name] ?? '')).join('')))
    .join('');
}
