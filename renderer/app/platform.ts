/** Whether shortcuts are made with Command rather than Ctrl. */
export const isMac = /^Mac/.test(navigator.platform);
