import type { LookupInterface } from '../../../shared/domain/connection.ts';
import { protocolNames } from './sides.ts';

const mostPremises = 50;

interface PremiseChoiceProps {
  premises: readonly { premiseId: string; line: string; free: readonly LookupInterface[] }[];
  onChoose: (premiseId: string) => void;
}

/** The premises of which answers are held, while none is chosen. */
export function PremiseChoice({ premises, onChoose }: PremiseChoiceProps) {
  return (
    <section className="compare-choice" aria-label="Premises with saved answers">
      <h3 className="h">Premises with saved answers</h3>
      <ul className="plain">
        {premises.slice(0, mostPremises).map(({ premiseId, line, free }) => (
          <li key={premiseId}>
            <button type="button" className="bare compare-premise" onClick={() => onChoose(premiseId)}>
              <span className="grow trunc">{line}</span>
              <span className="xs t3">{free.map((protocol) => protocolNames[protocol]).join(' and ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {premises.length > mostPremises && (
        <p className="xs t3">The newest {mostPremises}; any other is found by typing in a list above.</p>
      )}
    </section>
  );
}
