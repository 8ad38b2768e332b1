import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CaFile, NetworkState } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { Tag } from '../../../components/marks.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { Setting } from '../setting.tsx';
import { Certificates } from './certificates.tsx';
import { keepNetwork } from './network-queries.ts';

/** Authorities to trust besides the system's: the policy's file and the user's. */
export function NetworkFiles({ state, children }: { state: NetworkState; children: ReactNode }) {
  const client = useQueryClient();
  const choose = useMutation({
    mutationFn: () => call('network.choose-ca-file', {}),
    meta: { subject: 'Choosing a file of authorities' },
    onSuccess: ({ state: saved }) => {
      if (saved === null) return;
      keepNetwork(client, saved);
      announce('The file is saved. The next call uses it.');
    },
  });
  const remove = useMutation({
    mutationFn: () => call('network.remove-ca', {}),
    meta: { subject: 'Removing your file of authorities' },
    onSuccess: (saved) => {
      keepNetwork(client, saved);
      announce('The file is removed. Its certificates are no longer trusted.');
    },
  });
  const error = choose.error ?? remove.error;
  const own = state.files.find(({ source }) => source === 'user-file');
  const isLocked = state.filesLockedBy !== null;
  return (
    <Setting
      title="Authorities to trust"
      about={
        <>
          The system’s own are already trusted. If your network has its own certificate authority, add its certificate
          here in PEM form. Certificates are always checked.
          {isLocked && ` A policy of this computer (${state.filesLockedBy}) sets which file is used.`}
        </>
      }
    >
      {state.files.map((file) => (
        <File key={file.source} file={file} />
      ))}
      {error && <Failure error={errorOf(error)} />}
      <div className="row wrap">
        {!isLocked && (
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
      {children}
    </Setting>
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
