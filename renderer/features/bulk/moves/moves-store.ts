import { createKeyedStore } from '../../../lib/session/keyed-store.ts';

interface MovesForm {
  /** The move that is shown instead of the search. */
  shown: string | null;
  /** Ticked machines; null: nobody has ticked any, and the likeliest are. */
  machines: ReadonlySet<string> | null;
  /** Licences whose tick differs from what they start with. */
  toggled: ReadonlySet<string>;
  /** The machine they are to be moved to. */
  target: string;
}

const forms = createKeyedStore<MovesForm>({ shown: null, machines: null, toggled: new Set(), target: '' });
export const useMoves = forms.use;
export const changeMoves = forms.change;
