import { useConnection } from '../../app/use-connection.ts';
import { useLookupCommands } from './lookup-commands.ts';
import { LookupScreen } from './lookup-screen.tsx';

/** The lookup screen for the connection in use; drawn anew for another one, each with its own search and premise. */
export function LookupPlace() {
  const view = useConnection();
  useLookupCommands();
  if (!view)
    return <p className="pad t2">No connection is chosen. Choose one at the top, or add one under Connections.</p>;
  return <LookupScreen key={view.connection.id} connectionId={view.connection.id} connection={view.connection} />;
}
