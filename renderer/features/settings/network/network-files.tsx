import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CaFile, NetworkState } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { Tag } from '../../../components/marks.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { Certificates } from './certificates.tsx';
import { keepNetwork } from './network-queries.ts';

/** Authorities to trust besides the system's: the policy's file and the user's. */
export function NetworkFiles({ state }: { state: NetworkState }) {
  const client = useQueryClient();
  const choose = useMutation({
    mutationFn: () => call('network.choose-ca-file', {}),
    onSuccess: ({ state: saved }) => {
      if (saved === null) return;
      keepNetwork(client, saved);
      announce('The file is kept. The next call takes it.');
    },
  });
  const remove = useMutation({
    mutationFn: () => call('network.remove-ca', {}),
    onSuccess: (saved) => {
      keepNetwork(client, saved);
      announce('The file is removed. What it held is no longer trusted.');
    },
  });
  const error = choose.error ?? remove.error;
  const own = state.files.find(({ source }) => source === 'user-file');
  const held = state.filesLockedBy !== null;
  return (
    <div className="part">
      <h3 className="m">Authorities to trust</h3>
      <p className="sm t2">
        Those of the system’s store are trusted already. A network with an authority of its own may need its file here,
        in PEM form. There is no switch to leave certificates unchecked.
        {held && ` A policy of this computer (${state.filesLockedBy}) says which file is used.`}
      </p>
      {state.files.map((file) => (
        <File key={file.source} file={file} />
      ))}
      {error && <Failure error={errorOf(error)} />}
      <div className="row wrap">
        {!held && (
          <Button
            disabled={choose.isPending}
            onClick={() => {
              remove.reset();
              choose.mutate();
            }}
          >
            {own ? 'Choose another file…' : 'Choose a file…'}
          </Button>
        )}
        {own && (
          <Button
            disabled={remove.isPending}
            onClick={() => {
              choose.reset();
              remove.mutate();
            }}
          >
            Remove your file
          </Button>
        )}
      </div>
    </div>
  );
}

function File({ file }: { file: CaFile }) {
  return (
    <div className="ca-file">
      <p className="row wrap g6">
        <span className="m any-break">{file.name}</span>
        <Tag tone="line">{file.source === 'policy-file' ? 'by policy' : 'yours'}</Tag>
        {!file.used && <Tag tone="warn">not used</Tag>}
        <span className="sm t2">{countOf(file.certificates.length, 'certificate')}</span>
      </p>
      {file.certificates.length > 0 && <Certificates list={file.certificates} label={`Certificates of ${file.name}`} />}
    </div>
  );
}
