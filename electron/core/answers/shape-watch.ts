import { type Connection, serviceOf } from '../../../shared/domain/connection.ts';
import type { ShapeChange } from '../../../shared/domain/lookup/lookup.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Settings } from '../settings/settings.ts';

export type ShapeWatch = ReturnType<typeof createShapeWatch>;

/** The name comes from outside: “constructor” is not a member of a record. */
const ownMember = <T>(of: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(of, name) ? (of[name] ?? null) : null;

const keyOf = (of: Connection): string => `${of.id} ${serviceOf(of, 'rest')}`;
/** Geographic data may come in the other shape all along. */
const geoKeyOf = (of: Connection): string => `${keyOf(of)} GetPremiseGeoData`;

/**
 * Which of the two published answer shapes the service of a connection uses, and when that last changed; null: not seen, no change, or it
 * cannot be read. A shape that cannot be stored is not noted.
 */
export function createShapeWatch(settings: Settings, clock: Clock) {
  function read(key: string): 'A' | 'B' | null {
    const shapes = settings.read('lastShapes');
    return shapes.ok ? ownMember(shapes.value, key) : null;
  }

  /** Of GetPremise, or of geographic data if nothing else has been seen. */
  const last = (of: Connection): 'A' | 'B' | null => read(keyOf(of)) ?? read(geoKeyOf(of));
  /** Of geographic data, or what GetPremise suggests: by it the way to the UPRN is planned. */
  const lastOfGeoData = (of: Connection): 'A' | 'B' | null => read(geoKeyOf(of)) ?? read(keyOf(of));

  /** Called with the shape of every answer. */
  function note(of: Connection, operation: string, shape: string): void {
    if (shape !== 'A' && shape !== 'B') return;
    const isGeoData = operation === 'GetPremiseGeoData';
    const key = isGeoData ? geoKeyOf(of) : keyOf(of);
    const before = read(key);
    if (before === shape) return;
    const shapes = settings.read('lastShapes');
    if (!shapes.ok) return;
    // Once the service has changed, geographic data may come in another shape too.
    const { [geoKeyOf(of)]: _before, ...others } = shapes.value;
    settings.write('lastShapes', { ...(isGeoData || before === null ? shapes.value : others), [key]: shape });
    const changes = settings.read('shapeChanges');
    if (before === null || isGeoData || !changes.ok) return;
    settings.write('shapeChanges', { ...changes.value, [key]: { from: before, to: shape, at: isoNow(clock) } });
  }

  /** The change that nobody has dismissed yet. */
  function change(of: Connection): ShapeChange | null {
    const changes = settings.read('shapeChanges');
    return changes.ok ? ownMember(changes.value, keyOf(of)) : null;
  }

  /** Puts the notice of a change away. */
  function dismiss(of: Connection) {
    const changes = settings.read('shapeChanges');
    if (!changes.ok) return changes;
    const { [keyOf(of)]: _seen, ...others } = changes.value;
    return settings.write('shapeChanges', others);
  }

  return { last, lastOfGeoData, note, change, dismiss };
}
