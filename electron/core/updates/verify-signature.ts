/**
 * Why a downloaded installer is not the publisher's, in the verifier's words; null: its signature was read and is theirs. electron-updater
 * accepts one whose signature could not be read (no PowerShell, or none in time) and only warns: here that is a refusal.
 */
export async function verifySignature(publishers: string[], file: string): Promise<string | null> {
  const { verifySignature: verify } = await import('electron-updater/out/windowsExecutableCodeSignatureVerifier.js');
  let unread: string | null = null;
  const warn = (message?: unknown): void => {
    if (String(message).includes('Ignoring signature validation')) unread = String(message);
  };
  const refused = await verify(publishers, file, { info() {}, warn, error: warn });
  return refused ?? unread;
}
