import { drawable } from '../../../shared/domain/visible-text.ts';
import { useSaid } from '../../lib/window/announce.ts';

/** Characters; nobody listens to more. */
const longestSaid = 500;

/** Where announcements are put. Once, at the top of the window. */
export function LiveRegion() {
  const now = useSaid();
  return (
    <>
      <div className="spoken" role="status" aria-live="polite">
        {drawable(now.polite, longestSaid)}
      </div>
      <div className="spoken" role="alert" aria-live="assertive">
        {drawable(now.urgent, longestSaid)}
      </div>
    </>
  );
}
