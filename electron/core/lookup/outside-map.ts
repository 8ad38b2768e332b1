/** The one map service a place may be shown on: OpenStreetMap, https. It receives the two figures and nothing else. */
export function outsideMapAddress({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const [lat, lon] = [latitude.toFixed(5), longitude.toFixed(5)];
  return `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`;
}
