import type { ShapeChange } from '../../../shared/domain/lookup/lookup.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Settings } from '../settings/settings.ts';

export type ShapeWatch = ReturnType<typeof createShapeWatch>;

/** The name comes from outside: “constructor” is not a member of a record. */
const ownMember = <T>(of: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(of, name) ? (of[name] ?? null) : null;

/**
 * Which of the two published answer shapes each connection's service uses, and when that last changed; null: not seen, no change, or it
 * cannot be read. A shape that cannot be stored is not noted.
 */
export function createShapeWatch(settings: Settings, clock: Clock) {
  function last(connectionId: string): 'A' | 'B' | null {
    const shapes = settings.read('lastShapes');
    return shapes.ok ? ownMember(shapes.value, connectionId) : null;
  }

  /** Called with the shape of every answer. */
  function note(connectionId: string, shape: string): void {
    if (shape !== 'A' && shape !== 'B') return;
    const before = last(connectionId);
    if (before === shape) return;
    const shapes = settings.read('lastShapes');
    if (!shapes.ok) return;
    settings.write('lastShapes', { ...shapes.value, [connectionId]: shape });
    const changes = settings.read('shapeChanges');
    if (before === null || !changes.ok) return;
    settings.write('shapeChanges', {
      ...changes.value,
      [connectionId]: { from: before, to: shape, at: isoNow(clock) },
    });
  }

  /** The change that nobody has dismissed yet. */
  function change(connectionId: string): ShapeChange | null {
    const changes = settings.read('shapeChanges');
    return changes.ok ? ownMember(changes.value, connectionId) : null;
  }

  /** Puts the notice of a change away. */
  function dismiss(connectionId: string) {
    const changes = settings.read('shapeChanges');
    if (!changes.ok) return changes;
    const { [connectionId]: _seen, ...others } = changes.value;
    return settings.write('shapeChanges', others);
  }

  return { last, note, change, dismiss };
}
