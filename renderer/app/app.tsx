import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../components/failure.tsx';
import { errorOf } from '../lib/calls/errors.ts';
import { connectionsQuery, settingsQuery } from '../lib/calls/queries.ts';
import { createQueryClient } from '../lib/calls/query-client.ts';
import { part } from '../lib/window/part.tsx';
import { RouteProvider } from '../lib/window/routes.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import { LateButton } from './notices/late-button.tsx';
import { PartNotice } from './notices/part-notice.tsx';
import { LookProvider } from './theme/providers.tsx';

const KeyQuestionDialog = part(
  async () => (await import('./notices/key-question.tsx')).KeyQuestionDialog,
  () => null,
);

/** The root component of the window. */
export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Start />
    </QueryClientProvider>
  );
}

/** Waits for the settings and connections, which decide the scheme and the first screen. */
function Start() {
  const settings = useQuery(settingsQuery());
  const connections = useQuery(connectionsQuery());
  const failed = settings.error ?? connections.error;
  const scheme = settings.data?.colourScheme ?? 'auto';
  const ready = settings.isFetched && connections.data !== undefined;
  return (
    <LookProvider scheme={scheme}>
      <PartNotice>
        <KeyQuestionDialog />
      </PartNotice>
      {failed ? (
        <main className="state">
          <div className="middle">
            <h1 className="spoken">Address Console</h1>
            <Failure
              error={errorOf(failed)}
              actions={
                <LateButton
                  filled
                  onClick={() => {
                    void settings.refetch();
                    void connections.refetch();
                  }}
                >
                  Try again
                </LateButton>
              }
            />
          </div>
        </main>
      ) : (
        ready && (
          <RouteProvider start={connections.data.connections.length === 0 ? 'first-run' : 'lookup'}>
            <ConsoleFrame list={connections.data} />
          </RouteProvider>
        )
      )}
    </LookProvider>
  );
}
