import type { CertificateView } from '../../../../shared/domain/network.ts';
import { Mono, Tag } from '../../../components/marks.tsx';
import { formatDate } from '../../../lib/text/format.ts';
import { ageOf } from './network-messages.ts';

/** Certificates in order, each with who signed it, from when until when, and its fingerprint. */
export function Certificates({ list, label }: { list: readonly CertificateView[]; label: string }) {
  return (
    <ol className="certificates" aria-label={label}>
      {list.map((one) => {
        const age = ageOf(one);
        return (
          <li key={one.fingerprint}>
            <p className="m any-break">
              {one.subject} {age !== null && <Tag tone="danger">{age}</Tag>}
            </p>
            <p className="sm t2 any-break">
              {one.issuer === one.subject ? 'signed by itself' : `signed by ${one.issuer}`}
            </p>
            <p className="sm t2">
              valid {formatDate(one.validFrom)} to {formatDate(one.validUntil)}
            </p>
            <p className="xs t3 any-break">
              SHA-256 <Mono>{one.fingerprint}</Mono>
            </p>
          </li>
        );
      })}
    </ol>
  );
}
