import { Button, Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ReadFailure } from '../../components/read-failure.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { countOf } from '../../lib/text/format.ts';

const keyOf = ({ name, version }: { name: string; version: string }) => `${name} ${version}`;

/** The button that opens the licences of the program's third-party parts. */
export function LicencesOfParts() {
  const [opened, setOpened] = useState(false);
  return (
    <div className="about-more">
      <Button onClick={() => setOpened(true)}>Open-source licences…</Button>
      <LicencesDialog opened={opened} onClose={() => setOpened(false)} />
    </div>
  );
}

/** The third-party parts of the program, each with the text of its licence. */
function LicencesDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [sought, setSought] = useState('');
  const read = useQuery({
    queryKey: ['about', 'licences'],
    queryFn: () => call('about.licences', {}),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: opened,
  });
  const { data } = read;
  const words = sought.trim().toLowerCase();
  const found = (data?.licences ?? []).filter(({ name, licence }) =>
    `${name} ${licence}`.toLowerCase().includes(words),
  );
  return (
    <Modal opened={opened} onClose={onClose} size={640} title="Open-source licences">
      <div className="col g12">
        <TextInput
          data-autofocus
          aria-label="Find a package or a licence"
          placeholder="Find"
          leftSection={<IconSearch size={14} className="ti t3" aria-hidden="true" />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <ReadFailure of={read} />
        {data && (
          <>
            <p className="sm t2" role="status">
              {countOf(found.length, 'part')}
              {found.length < data.licences.length && ` of ${data.licences.length}`}
            </p>
            <ul className="plain about-licences">
              {found.map((one) => (
                <li key={keyOf(one)}>
                  <details>
                    <summary>
                      <span className="m">{one.name}</span> <span className="t2 tn">{one.version}</span>{' '}
                      <span className="t2">{one.licence}</span>
                    </summary>
                    <pre className="about-words">{one.text}</pre>
                  </details>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Modal>
  );
}
