import { findRestEndpoint, restEndpoints } from '../../shared/catalogue/rest-endpoints.ts';
import { findSoapOperation, soapOperationNames } from '../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../shared/catalogue/types.ts';

const commands = ['call', 'operations', 'wsdl', 'credits', 'licences', 'help'];
const options = ['--set', '--connection', '--raw', '--timeout', '--against', '--machine', '--help'];

/** `complete <words so far>`: what may come next, a line each; for a shell's completion function. */
export function completeCommand(words: string[]): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const starting = (candidates: readonly string[]) => candidates.filter((word) => word.startsWith(typed));
  if (before.length === 0) return starting(commands);
  if (before.at(-1) === '--set') {
    const name = before[0] === 'call' ? (before[1] ?? '') : '';
    const fields: readonly FieldDef[] =
      findRestEndpoint(name)?.parameters ?? findSoapOperation(name)?.operation.fields ?? [];
    return starting(fields.filter((field) => field.credential === undefined).map((field) => `${field.name}=`));
  }
  if (before.length === 1 && before[0] === 'call')
    return starting([...restEndpoints.map(({ name }) => name), ...soapOperationNames]);
  if (before.length === 1 && before[0] === 'licences') return starting(['list', 'details', ...options]);
  return starting(options);
}
