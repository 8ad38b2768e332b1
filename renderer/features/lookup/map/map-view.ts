/** What part of the National Grid is shown: its middle and its width, in kilometres. North is up; y grows to the south. */
export interface MapView {
  x: number;
  y: number;
  width: number;
}

export interface GridPoint {
  /** Metres. */
  easting: number;
  northing: number;
}

/** Height over width of the drawing. */
export const aspect = 0.8;
const north = 1230;
const widest = 1700;
const closest = 2;

/** Metres on the grid as a place in the drawing. */
export const toDrawing = ({ easting, northing }: GridPoint): { x: number; y: number } => ({
  x: easting / 1000,
  y: north - northing / 1000,
});

export const wholeCountry: MapView = { x: 350, y: 580, width: widest };

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const within = ({ x, y, width }: MapView): MapView => ({
  x: clamp(x, -200, 900),
  y: clamp(y, -200, 1430),
  width: clamp(width, closest, widest),
});

export const pan = (view: MapView, acrossKm: number, downKm: number): MapView =>
  within({ ...view, x: view.x + acrossKm, y: view.y + downKm });

/** Zooms by a factor (under 1: closer), keeping the place under `at` where it is. */
export function zoom(view: MapView, factor: number, at: { x: number; y: number } = view): MapView {
  const width = clamp(view.width * factor, closest, widest);
  const real = width / view.width;
  return within({ x: at.x + (view.x - at.x) * real, y: at.y + (view.y - at.y) * real, width });
}

/** Shows a point with room for a radius around it. */
export function around(point: GridPoint, metres: number): MapView {
  const { x, y } = toDrawing(point);
  return within({ x, y, width: Math.max(12, ((metres / 1000) * 2.4) / aspect) });
}

/** Spacing of the grid lines that suits a width: 100, 10 or 1 km. */
const gridStep = (width: number): number => (width > 260 ? 100 : width > 26 ? 10 : 1);

/** The two letters of a 100 km square by its south-west corner (Ordnance Survey, "A guide to coordinate systems"); empty off the grid. */
export function squareLetters(hundredEast: number, hundredNorth: number): string {
  if (hundredEast < 0 || hundredEast > 6 || hundredNorth < 0 || hundredNorth > 12) return '';
  let first = 19 - hundredNorth - ((19 - hundredNorth) % 5) + Math.floor((hundredEast + 10) / 5);
  let second = (((19 - hundredNorth) * 5) % 25) + (hundredEast % 5);
  // I is not used.
  if (first > 7) first += 1;
  if (second > 7) second += 1;
  return String.fromCharCode(65 + first, 65 + second);
}

/** Lines of the grid inside a view, in kilometres of the drawing. */
export function gridLines(view: MapView): { step: number; across: number[]; down: number[] } {
  const step = gridStep(view.width);
  const half = { x: view.width / 2, y: (view.width * aspect) / 2 };
  const lines = (from: number, to: number, offset: number) => {
    const found: number[] = [];
    for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) found.push(at);
    return found;
  };
  return {
    step,
    across: lines(view.x - half.x, view.x + half.x, 0),
    down: lines(view.y - half.y, view.y + half.y, north % step),
  };
}

/** Metres around a premise that show the coast on some side: no place of Great Britain is further from the sea. */
export const closeBy = 115_000;

const keySteps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The view after a key press: arrows move, plus and minus zoom, 0 shows the whole country, Home comes back to `here`; null: nothing. */
export function moveByKey(key: string, view: MapView, here: GridPoint): MapView | null {
  const step = keySteps[key];
  if (step) return pan(view, step[0] * view.width * 0.12, step[1] * view.width * 0.12);
  if (key === '+' || key === '=') return zoom(view, 0.7);
  if (key === '-') return zoom(view, 1.4);
  if (key === '0') return wholeCountry;
  return key === 'Home' ? around(here, closeBy) : null;
}
