import { BulkTab } from '../../features/bulk/bulk-tab.tsx';
import { LicencesScreen } from '../../features/licences/licences-screen.tsx';
import { MachinesTab } from '../../features/machines/machines-tab.tsx';

/** The licences with the tabs of two other features: features import none of each other. */
export const LicencesPlace = () => <LicencesScreen machines={MachinesTab} bulk={BulkTab} />;
