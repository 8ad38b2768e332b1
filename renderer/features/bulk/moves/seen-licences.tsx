import { Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { LicenceSeen, MachinesSeen } from '../../../../shared/domain/licences/licence-seen.ts';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { askPrice } from '../../../lib/licences/machines.ts';
import { startScan, useScan } from '../../../lib/licences/scans.ts';
import { countOf, formatWhen } from '../../../lib/text/format.ts';
import { describeCredits, describeExpiry, describeSeats, describeStatus } from '../planned-licence.ts';

interface SeenLicencesProps {
  connectionId: string;
  seen: MachinesSeen;
  ticked: ReadonlySet<string>;
  onToggle: (one: LicenceSeen) => void;
}

/** Everything that the ticked machines were seen with, each licence once, with when and where. */
export function SeenLicences({ connectionId, seen, ticked, onToggle }: SeenLicencesProps) {
  const client = useQueryClient();
  const scan = useScan(connectionId);
  const names = seen.machines.map(({ machine }) => machine);
  return (
    <section aria-label="What was seen on them">
      <div className="moves-head">
        <h2 className="h">{names.length === 1 ? 'What was seen on it' : `What was seen on the ${names.length}`}</h2>
        <span className="row wrap g12">
          <span className="xs t3">
            {describeAnswers(seen)}
            {seen.listReadAt !== null && `; seats to credits as listed ${formatWhen(seen.listReadAt)}`}
          </span>
          <PriceButton
            price={askPrice(names.length)}
            disabled={scan.running !== null}
            onClick={() => void startScan(connectionId, client, names)}
          >
            {seen.machines.some(({ askedAt }) => askedAt === null) ? 'Ask now' : 'Ask again'}
          </PriceButton>
        </span>
      </div>
      {seen.licences.length === 0 ? (
        <p className="pad sm t2">
          {seen.machines.every(({ askedAt }) => askedAt === null)
            ? 'Not known: it was never asked, or never answered.'
            : 'No answer for it named a licence, now or before.'}
        </p>
      ) : (
        <table className="tbl tight moves-table" aria-label="Licences seen">
          <thead>
            <tr>
              <th scope="col">
                <span className="spoken">Move</span>
              </th>
              {['Licence', 'Seats', 'Expires', 'Status', 'Credits', 'Seen, note'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.licences.map((one) => (
              <Row
                key={one.licenceNumber}
                one={one}
                several={names.length > 1}
                listed={seen.listReadAt !== null && seen.isListWhole}
                ticked={ticked.has(one.licenceNumber)}
                onToggle={() => onToggle(one)}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface RowProps {
  one: LicenceSeen;
  several: boolean;
  listed: boolean;
  ticked: boolean;
  onToggle: () => void;
}

function Row({ one, several, listed, ticked, onToggle }: RowProps) {
  // If the list was never read, nothing is said of the licence.
  const licence = one.licence ?? (listed ? null : undefined);
  return (
    <tr>
      <td>
        <Checkbox size="xs" aria-label={`Move ${one.name}`} checked={ticked} onChange={onToggle} />
      </td>
      <td title={`LicenseID ${one.licenceNumber}`}>
        <span className="m nowrap">{one.name}</span>
        <span className="xs t3 moves-from">{one.typeName}</span>
      </td>
      <td className="nowrap">{describeSeats(licence)}</td>
      <td className={one.expired ? 'danger nowrap' : 'nowrap'}>{describeExpiry(licence)}</td>
      <td className={one.mayStayOff === null ? '' : 'danger'}>{describeStatus(licence)}</td>
      <td className="nowrap">{describeCredits(licence)}</td>
      <td className="xs t2">{describePlaces(one, several)}</td>
    </tr>
  );
}

function describePlaces({ seen, mayStayOff }: LicenceSeen, several: boolean): string {
  const [first, ...others] = seen;
  const at = (place: LicenceSeen['seen'][number]): string =>
    `${place.last ? 'seen' : 'not in the last answer; seen'} ${several ? `under ${place.machine}, ` : ''}${formatWhen(place.at)}`;
  return [
    ...(first ? [at(first)] : []),
    ...others.map(({ machine, last }) => `${last ? 'and' : 'earlier'} under ${machine}`),
    ...(mayStayOff === null ? [] : ['needs a tick of its own']),
  ].join('; ');
}

function describeAnswers({ machines }: MachinesSeen): string {
  const answered = machines.flatMap(({ askedAt }) => askedAt ?? []).sort();
  const failed = machines.filter(({ failure }) => failure !== null).length;
  const [oldest] = answered;
  const words =
    oldest === undefined
      ? 'never answered'
      : answered.length === machines.length
        ? `answered ${formatWhen(oldest)}`
        : `${answered.length} of ${countOf(machines.length, 'name')} answered, ${formatWhen(oldest)}`;
  return failed === 0 ? words : `${words}; the last asking failed for ${failed}`;
}
