/** The two invoke channels and the one event channel that cross between preload and main; the contract's names travel inside. */
export const wire = { invoke: 'console:invoke', cancel: 'console:cancel', event: 'console:event' } as const;
