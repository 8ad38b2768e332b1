import { protocolNames } from '../../../shared/domain/connection.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { formatTime, formatWhen } from '../../lib/text/format.ts';

/** "REST GetPremise, shape A". */
export function describeSource(answer: Pick<Provenance, 'interface' | 'operation' | 'shape'>, form = 'shape '): string {
  const protocol = protocolNames[answer.interface];
  // A premise's shape is the letter A or B; a search's form is a word that needs no “shape”.
  const shape = answer.shape === null ? '' : `, ${answer.shape.length === 1 ? `${form}${answer.shape}` : answer.shape}`;
  return `${protocol} ${answer.operation}${shape}`;
}

/** A value's source in one word if that is unambiguous: "REST" for GetPremise in either shape, "SOAP" for GetPremiseAddress. */
export function shortSource(source: string): string {
  const [protocol = '', operation = ''] = source.replace(',', '').split(' ');
  return ['GetPremise', 'GetPremiseAddress'].includes(operation) ? protocol : source.replace(/, shape [AB]$/, '');
}

/** "today 09:41:07 GMT". */
export function formatMomentNear(iso: string, now: Date): string {
  const day = formatWhen(iso, now).replace(/ \d{2}:\d{2}$/, '');
  return day === iso ? iso : `${day} ${formatTime(iso)}`;
}
