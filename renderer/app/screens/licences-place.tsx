import { LicencesScreen } from '../../features/licences/licences-screen.tsx';
import { part } from '../../lib/window/part.tsx';

const Machines = part(async () => (await import('../../features/machines/machines-tab.tsx')).MachinesTab);
const Bulk = part(async () => (await import('../../features/bulk/bulk-tab.tsx')).BulkTab);
const DeadLaptop = part(async () => (await import('../../features/bulk/moves/moves-page.tsx')).MovesPage);

/** The licences with the tabs of two other features: features do not import each other. */
export const LicencesPlace = () => <LicencesScreen machines={Machines} bulk={Bulk} deadLaptop={DeadLaptop} />;
