import { renderLicenceClaim } from '../../../../shared/claims/licence-claims.ts';
import { anyDay } from '../../../../shared/claims/moment.ts';
import { type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { verdictText } from '../../../../shared/domain/licences/licence-verdicts.ts';
import { formatUkMoment } from './change-messages.ts';

const titles = { register: 'register a licence', unregister: 'unregister a licence', move: 'move a licence' } as const;

/** What an earlier receipt or list said, if this one reads otherwise. */
const saidBefore = ({ claims }: LicenceChange): [string, string][] =>
  claims.flatMap((claim) =>
    claim.kind === 'said-then' ? [['Said before', renderLicenceClaim(claim, anyDay)] as [string, string]] : [],
  );

/** The receipt of a finished or dismissed change as plain text, one fact per line. Null for a change that is not over. */
export function writeReceipt(change: LicenceChange): string | null {
  if (change.finishedAt === null || (change.state !== 'finished' && change.state !== 'dismissed')) return null;
  const { undoneBy } = change;
  const then = undoneBy !== undefined ? ', undone later' : change.state === 'dismissed' ? ', left as it is' : '';
  const lines: [string, string][] = [
    ['Verdict', `${verdictText[change.verdict ?? 'unknown']}${then}`],
    ['What was seen', change.conclusion],
    ...saidBefore(change),
    [
      'Licence',
      change.licenceReference ? `${change.licenceReference}, id ${change.licenceNumber}` : `id ${change.licenceNumber}`,
    ],
    ...(change.licenceType ? [['Type', change.licenceType] as [string, string]] : []),
    ...(change.fromMachine === null
      ? [['Machine', change.machine] as [string, string]]
      : [['From', change.fromMachine] as [string, string], ['To', change.machine] as [string, string]]),
    ['Closed', formatUkMoment(change.finishedAt)],
    ['By', change.by],
    ['Connection', change.connectionName],
    ...(change.undoOf === null ? [] : [['Undoes', `change ${change.undoOf}`] as [string, string]]),
    ...(undoneBy === undefined ? [] : [['Undone by', `change ${undoneBy}`] as [string, string]]),
    ['Change', change.id],
  ];
  if (change.journal) {
    const { first, last, hash } = change.journal;
    lines.push(['Journal', first === last ? `entry ${first}` : `entries ${first} to ${last}`]);
    lines.push(['Entry hash, SHA-256', hash.replace(/(.{4})(?=.)/g, '$1 ')]);
  }
  const width = Math.max(...lines.map(([label]) => label.length));
  const said = change.serviceText.length === 0 ? ['nothing'] : change.serviceText.map((text) => `“${text}”`);
  return [
    `Address Console: ${titles[change.kind]}`,
    `${nameLicence(change)}, ${change.machine}`,
    '',
    ...lines.map(([label, value]) => `${label.padEnd(width)}  ${value}`),
    '',
    'Steps',
    ...change.steps.map((step) => {
      const when = step.startedAt === null ? '' : ` (${formatUkMoment(step.startedAt)})`;
      return `${step.number}. ${step.text} [${step.operation}, ${step.effect}]: ${step.state}${step.result === null ? '' : `, ${step.result}`}${when}`;
    }),
    '',
    `What the service returned, which was not taken for what it did: ${said.join(', ')}`,
    'The journal shows an edit, a gap or a cut, unless the whole chain after it and its anchors are rewritten; this receipt shows that too.',
    '',
  ].join('\n');
}
