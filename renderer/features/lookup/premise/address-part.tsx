import { useId, useState } from 'react';
import type { PremiseView } from '../../../../shared/domain/lookup/lookup.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { Fields } from '../../../components/fields.tsx';
import { Mono } from '../../../components/marks.tsx';
import { countOf } from '../../../lib/text/format.ts';
import { shortSource } from '../source-messages.ts';

/** The address as on an envelope, and every field of it with its source. */
export function AddressPart({ view }: { view: PremiseView }) {
  const main = mostCommon(view.fields.map(({ source }) => shortSource(source)));
  return (
    <section className="lookup-address" aria-label="Address">
      <address className="envelope">{view.envelope.map((line) => drawable(line, 300)).join('\n')}</address>
      <div className="lookup-fields">
        <Fields
          rows={withOneCountryCode(view.fields).map(({ name, label, value, source }) => ({
            key: name,
            label,
            value,
            from: shortSource(source) === main ? null : <Source of={source} />,
          }))}
        />
        {main !== null && <p className="xs t3 lookup-from">From {main} unless another source is named</p>}
      </div>
      {view.otherFields.length > 0 && (
        <>
          <h3 className="h lookup-more">Fields the published record does not have, as they came</h3>
          {inParts(view.otherFields).map((part) => (
            <div key={part[0]?.name} className="lookup-more-part">
              <Fields
                rows={part.map(({ name, value, source }) => ({
                  key: name,
                  label: <Mono>{name}</Mono>,
                  value,
                  from: <Source of={source} />,
                }))}
              />
            </div>
          ))}
        </>
      )}
      <EmptyFields names={view.emptyFields} />
    </section>
  );
}

const countryCodes: readonly string[] = ['countryIso2', 'countryIso3', 'countryIsoNumber'];

/** The codes of one country in one line if they come from one source: "GB, GBR, 826". */
function withOneCountryCode(fields: PremiseView['fields']): PremiseView['fields'] {
  const codes = fields.filter(({ name }) => countryCodes.includes(name));
  const [first] = codes;
  if (first === undefined || codes.length < 2 || codes.some(({ source }) => source !== first.source)) return fields;
  const one = { ...first, label: 'Country codes', value: codes.map(({ value }) => value).join(', ') };
  return fields.flatMap((field) => (field === first ? [one] : codes.includes(field) ? [] : [field]));
}

/** Fields in a part; parts out of sight are not laid out, since a service may send a thousand fields. */
const inOnePart = 40;
const inParts = <T,>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / inOnePart) }, (_, part) =>
    items.slice(part * inOnePart, (part + 1) * inOnePart),
  );

/** The source of most fields, so that it is named once; null: there are no fields. */
function mostCommon(sources: readonly string[]): string | null {
  const counts = [...Map.groupBy(sources, (source) => source)].sort((a, b) => b[1].length - a[1].length);
  return counts[0]?.[0] ?? null;
}

/** The source of a value: the interface, and all of it as the tooltip. */
function Source({ of: source }: { of: string }) {
  return <span title={source}>{shortSource(source)}</span>;
}

function EmptyFields({ names }: { names: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (names.length === 0) return null;
  const some = names.slice(0, 3).join(', ');
  return (
    <div className="sm t3 lookup-empty">
      <span>
        {countOf(names.length, 'field')} came empty{open ? ' ' : `: ${some}${names.length > 3 ? ' … ' : ' '}`}
      </span>
      <button type="button" className="link" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {open ? 'Fold' : 'Show'}
      </button>
      <p id={id} hidden={!open} className="sel">
        {names.join(', ')}
      </p>
    </div>
  );
}
