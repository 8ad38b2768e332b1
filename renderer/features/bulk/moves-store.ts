import { createKeyedStore } from '../../lib/session/keyed-store.ts';

interface MovesForm {
  /** The move that is shown instead of the search. */
  shown: string | null;
  /** Ticked machines; null: nobody has ticked any, and the likeliest are. */
  machines: ReadonlySet<string> | null;
  /** By licence number whether it is ticked, for those that a person ticked or unticked. */
  licences: ReadonlyMap<string, boolean>;
  /** The machine they are to be moved to. */
  target: string;
}

const forms = createKeyedStore<MovesForm>({ shown: null, machines: null, licences: new Map(), target: '' });
export const useMoves = forms.use;
export const changeMoves = forms.change;
