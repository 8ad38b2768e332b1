/** A browser does not allow pages with an unknown scheme, so there `app://console` has this address, which is never resolved. */
const appOrigin = 'app://console';
const browserOrigin = 'https://console.app.localhost';

export const toBrowser = (url: string): string =>
  url === appOrigin || url.startsWith(`${appOrigin}/`) ? browserOrigin + url.slice(appOrigin.length) : url;

export const toApp = (url: string): string =>
  url === browserOrigin || url.startsWith(`${browserOrigin}/`) ? appOrigin + url.slice(browserOrigin.length) : url;
