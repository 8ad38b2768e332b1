/** A browser does not let a page have an unknown scheme, so `app://console` is this name there; nothing ever resolves it. */
const appOrigin = 'app://console';
const browserOrigin = 'https://console.app.localhost';

export const toBrowser = (url: string): string =>
  url === appOrigin || url.startsWith(`${appOrigin}/`) ? browserOrigin + url.slice(appOrigin.length) : url;

export const toApp = (url: string): string =>
  url === browserOrigin || url.startsWith(`${browserOrigin}/`) ? appOrigin + url.slice(browserOrigin.length) : url;
