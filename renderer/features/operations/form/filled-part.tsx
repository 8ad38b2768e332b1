import { IconKey } from '@tabler/icons-react';
import type { OperationForm } from '../../../../shared/contract/operations.ts';
import { useGo } from '../../../lib/window/routes.tsx';

/** What the connection fills in: settings in full, keys by their last four. Their values never come here. */
export function FilledPart({ filled }: Pick<OperationForm, 'filled'>) {
  const go = useGo();
  if (filled.length === 0) return <p className="sm t2">Takes no credentials.</p>;
  return (
    <section aria-label="Credentials">
      <div className="row between">
        <span>
          <span className="h">Credentials</span>{' '}
          <span className="xs t3">
            {filled.some(({ from }) => from === 'keychain') ? 'from the keychain' : 'from the connection'}
          </span>
        </span>
        <button type="button" className="link sm" onClick={() => go('connections')}>
          Change
        </button>
      </div>
      <dl className="ops-filled">
        {filled.map(({ name, label, from, shown, missing }) => (
          <div key={name} className="row">
            <dt className="t2 sm" title={label}>
              {name}
            </dt>
            <dd className="grow row">
              <span className="grow trunc">
                {shown !== '' ? (
                  <span className="sel">{shown}</span>
                ) : missing ? (
                  <span className="warn">not set up</span>
                ) : (
                  <span className="t3">blank: {name === 'MachineID' ? 'not machine-bound' : 'not set'}</span>
                )}
              </span>
              {from === 'keychain' && shown !== '' && (
                <IconKey size={13} className="ti t3" role="img" aria-label="from the keychain" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
