/** Does the work for every item in order, at most `width` at a time. A throw ends it once the work under way has finished. */
export async function mapWithLimit<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (failed) return;
      try {
        await work(item);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  const thrown = lanes.find((one) => one.status === 'rejected');
  if (thrown) throw thrown.reason;
}
